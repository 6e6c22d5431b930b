// Every story of samples/stories says in expect.json what a report must find; this compares, and counts what was right.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FINDING_RULES, STORM_KINDS, type Findings, type Storm } from '../../src/findings/findings.ts';
import {
  expectationOf,
  figuresOf,
  labelOf,
  labelsOf,
  listStories,
  logsOf,
  reportOf,
  ROOT,
  type Part,
} from '../support/stories/expectation.ts';

type Counts = Pick<Storm, 'requests' | 'under_gate' | 'avoidable'>;

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
    return await reportOf(story, inputs);
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

function undeclaredOf(storm: Storm): Counts {
  const targets = storm.targets.filter(({ declared }) => declared === 'undeclared');
  const total = (field: keyof Counts) => targets.reduce((subtotal, target) => subtotal + target[field], 0);
  return { requests: total('requests'), under_gate: total('under_gate'), avoidable: total('avoidable') };
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** By kind: labels that were found, found in excess, and missed. */
const tally = new Map<string, { right: number; excess: number; missed: number }>(
  [...STORM_KINDS, ...FINDING_RULES].map((kind) => [kind, { right: 0, excess: 0, missed: 0 }]),
);

function enterAll(wanted: readonly string[], found: readonly string[]): void {
  const left = [...wanted];
  for (const label of found) {
    const at = left.indexOf(label);
    if (at >= 0) left.splice(at, 1);
    enter(label, at >= 0 ? 'right' : 'excess');
  }
  for (const label of left) enter(label, 'missed');
}

function enter(label: string, column: 'right' | 'excess' | 'missed'): void {
  const row = tally.get(label.split(' ', 1)[0] ?? '');
  if (row !== undefined) row[column] += 1;
}

describe.each(listStories())('the story %s', (story) => {
  const expected = expectationOf(story);
  let once: Promise<Findings> | undefined;
  const whole = () =>
    (once ??= reportOf(
      story,
      logsOf(story).map((file) => join(ROOT, story, file)),
    ));

  it(`finds exactly its storms and findings: ${expected.about}`, async () => {
    const { storms, findings, ...rest } = await whole();
    const [wanted, found] = [labelsOf(expected), labelsOf({ storms, findings })];
    enterAll(wanted, found);
    expect(found).toEqual(wanted);
    expect(rest).toMatchObject(expected.report);
    expect(figuresOf({ storms, findings })).toEqual(figuresOf(expected));
    for (const { client, kind, undeclared, refused } of expected.storms) {
      const storm = storms.find((one) => labelOf(one) === labelOf({ kind, client }));
      if (refused !== undefined) expect(storm?.refused).toBe(refused);
      if (undeclared !== undefined) expect(storm && undeclaredOf(storm)).toEqual(undeclared);
    }
  });

  it('accounts for every line', async () => {
    const { inputs, requests, rejects } = await whole();
    for (const input of inputs) {
      expect(input.records + input.rejects + input.other + input.parts + input.duplicates, input.name).toBe(input.lines);
    }
    expect([sum(requests.by_kind), sum(requests.by_status)]).toEqual([requests.total, requests.total]);
    expect(rejects.total).toBe(0);
  });

  for (const part of expected.parts ?? []) {
    it(part.title, async () => {
      const found = await reportOfPart(story, part);
      expect(found).toMatchObject(part.report);
      expect(found.storms).toHaveLength(part.storms);
    });
  }
});

function share(part: number, whole: number): string {
  return whole === 0 ? '-' : (part / whole).toFixed(2);
}

describe('over all stories', () => {
  it('precision and recall are 1 for every kind', () => {
    const wrong = [...tally].filter(([, { excess, missed }]) => excess + missed > 0);
    expect(wrong).toEqual([]);
  });

  it('has a label of every kind', () => {
    expect([...tally].filter(([, { right, missed }]) => right + missed === 0)).toEqual([]);
  });

  afterAll(() => {
    const lines = [...tally].map(([kind, { right, excess, missed }]) => [
      kind,
      `${right + missed}`,
      share(right, right + excess),
      share(right, right + missed),
    ]);
    for (const [kind = '', ...figures] of [['kind', 'labels', 'precision', 'recall'], ...lines]) {
      process.stdout.write(`${kind.padEnd(26)}${figures.map((figure) => figure.padStart(10)).join('')}\n`);
    }
  });
});
