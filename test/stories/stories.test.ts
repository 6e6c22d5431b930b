// Every story of samples/stories says in expect.json what a report must find; this compares.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Findings, Storm, StormKind } from '../../src/findings/findings.ts';
import { analyse } from '../../src/ingest/run.ts';

type Counts = Pick<Storm, 'requests' | 'under_gate' | 'avoidable'>;

interface ExpectedStorm extends Partial<Counts & Pick<Storm, 'refused'>> {
  /** Part of the client's key, or the file its evidence is in where the log names no client. */
  client: string;
  kind: StormKind;
  /** Sums over the storm's undeclared targets. */
  undeclared?: Counts;
}

interface Part {
  title: string;
  /** Addresses whose lines are kept, or left out. */
  only?: string[];
  except?: string[];
  storms: number;
  report: Partial<Findings>;
}

interface Expectation {
  contract?: string[];
  storms: ExpectedStorm[];
  report: Partial<Findings>;
  parts?: Part[];
}

const ROOT = fileURLToPath(new URL('../../samples/stories/', import.meta.url));

function stories(): string[] {
  return readdirSync(ROOT).filter((name) => existsSync(join(ROOT, name, 'expect.json')));
}

function logsOf(story: string): string[] {
  return readdirSync(join(ROOT, story)).filter((file) => file.endsWith('.log'));
}

async function report(story: string, inputs: string[]): Promise<Findings> {
  const documents = (expectationOf(story).contract ?? []).map((name) => ({
    name,
    text: readFileSync(join(ROOT, story, name), 'utf8'),
  }));
  const run = await analyse({ inputs, documents, endpoints: [], infer: true, timeZone: 'UTC', settings: {}, database: {} });
  try {
    return await run.findings({ generatedAt: '2026-11-30T00:00:00.000Z', version: '0.0.0' });
  } finally {
    await run.close();
  }
}

function expectationOf(story: string): Expectation {
  return JSON.parse(readFileSync(join(ROOT, story, 'expect.json'), 'utf8')) as Expectation;
}

/** Returns a report over the lines of some of a story's clients; lines that name no client are left out. */
async function reportOfPart(story: string, part: Part): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'stormgate-story-'));
  try {
    const inputs = logsOf(story).flatMap((file) => {
      const lines = readFileSync(join(ROOT, story, file), 'utf8').split('\n');
      const kept = lines.filter((line) => isKept(part, addressOf(line)));
      if (kept.length === 0) return [];
      const path = join(folder, file);
      writeFileSync(path, `${kept.join('\n')}\n`);
      return [path];
    });
    return await report(story, inputs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function addressOf(line: string): string | undefined {
  const [, json, bracketed, plain] = /"remote_addr":"([^"]+)"|src\.addr=(?:\[([^\]]+)\]|([\d.]+)):/.exec(line) ?? [];
  return json ?? bracketed ?? plain;
}

function isKept(part: Part, address: string | undefined): boolean {
  if (address === undefined) return false;
  return part.only === undefined ? !part.except?.includes(address) : part.only.includes(address);
}

function isOf(storm: Storm, expected: ExpectedStorm): boolean {
  const names = [storm.client, ...storm.evidence.map(({ source }) => source)];
  return storm.kind === expected.kind && names.some((name) => name.includes(expected.client));
}

function undeclaredOf(storm: Storm): Counts {
  const targets = storm.targets.filter(({ declared }) => declared === 'undeclared');
  const total = (field: keyof Counts) => targets.reduce((subtotal, target) => subtotal + target[field], 0);
  return { requests: total('requests'), under_gate: total('under_gate'), avoidable: total('avoidable') };
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

describe.each(stories())('the story %s', (story) => {
  const expected = expectationOf(story);
  const paths = logsOf(story).map((file) => join(ROOT, story, file));
  let once: Promise<Findings> | undefined;
  const whole = () => (once ??= report(story, paths));

  it('finds exactly its storms, and no healthy client in any', async () => {
    const { storms, ...rest } = await whole();
    expect(rest).toMatchObject(expected.report);
    expect(storms.map(({ client, kind }) => ({ client, kind }))).toHaveLength(expected.storms.length);
    for (const { client, kind, undeclared, ...counts } of expected.storms) {
      const storm = storms.find((one) => isOf(one, { client, kind }));
      expect(storm, `${kind} of ${client}`).toMatchObject(counts);
      if (storm !== undefined && undeclared !== undefined) expect(undeclaredOf(storm)).toEqual(undeclared);
    }
  });

  it('accounts for every line', async () => {
    const { inputs, requests } = await whole();
    for (const input of inputs) {
      expect(input.records + input.rejects + input.other + input.parts + input.duplicates, input.name).toBe(input.lines);
    }
    expect([sum(requests.by_kind), sum(requests.by_status)]).toEqual([requests.total, requests.total]);
  });

  for (const part of expected.parts ?? []) {
    it(part.title, async () => {
      const found = await reportOfPart(story, part);
      expect(found).toMatchObject(part.report);
      expect(found.storms).toHaveLength(part.storms);
    });
  }
});
