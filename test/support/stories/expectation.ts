// What expect.json of a story says, and a report in the same words.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContractDocument } from '../../../src/contract/contract.ts';
import type { Findings, Storm } from '../../../src/findings/findings.ts';
import { analyse } from '../../../src/ingest/run.ts';
import type { FindingLabel, StormLabel } from './story.ts';

type Counts = Pick<Storm, 'requests' | 'under_gate' | 'avoidable'>;

/** Lines of some of a story's clients, and what a report over these alone must say. */
export interface Part {
  title: string;
  /** Addresses whose lines are kept, or left out. */
  only?: string[];
  except?: string[];
  storms: number;
  report: Partial<Findings>;
}

export interface Expectation {
  about?: string;
  contract?: string[];
  storms: (Pick<StormLabel, 'client' | 'kind'> &
    Partial<StormLabel> & {
      refused?: number;
      /** Sums over the storm's undeclared targets. */
      undeclared?: Counts;
    })[];
  findings: (Pick<FindingLabel, 'rule' | 'clients'> & Partial<FindingLabel>)[];
  report: Partial<Findings>;
  parts?: Part[];
}

export const ROOT = fileURLToPath(new URL('../../../samples/stories/', import.meta.url));

/** Returns the names of all stories. */
export function listStories(): string[] {
  return readdirSync(ROOT).filter((name) => existsSync(join(ROOT, name, 'expect.json')));
}

/** Returns the names of a story's logs. */
export function logsOf(story: string): string[] {
  return readdirSync(join(ROOT, story)).filter((file) => file.endsWith('.log'));
}

/** Returns what a story says of itself. */
export function expectationOf(story: string): Expectation {
  return JSON.parse(readFileSync(join(ROOT, story, 'expect.json'), 'utf8')) as Expectation;
}

/** The report's stamp. */
export const STAMP = { generatedAt: '2026-11-30T00:00:00.000Z', version: '0.0.0' };

/** Returns the documents of a story. */
export function documentsOf(story: string): ContractDocument[] {
  const names = expectationOf(story).contract ?? [];
  return names.map((name) => ({ name, text: readFileSync(join(ROOT, story, name), 'utf8') }));
}

/** Returns the report over some logs, with the documents of a story. */
export async function reportOf(story: string, inputs: readonly string[]): Promise<Findings> {
  const run = await analyse({
    inputs,
    documents: documentsOf(story),
    endpoints: [],
    infer: true,
    timeZone: 'UTC',
    settings: {},
    database: { threads: 1 },
  });
  try {
    return await run.findings(STAMP);
  } finally {
    await run.close();
  }
}

/** Returns the word by which stories know a client: its address, else its agent, else its log. */
export function nameOf(key: string): string {
  const log = /^unknown client of (.*)$/.exec(key)?.[1];
  if (log !== undefined) return basename(log);
  const [name = ''] = key.replace('unknown address ', '').split(' ');
  return name;
}

/** One storm or finding as a line of text: what, and of whom. */
export function labelOf(label: { kind: string; client: string } | { rule: string; clients: readonly string[] }): string {
  return 'kind' in label
    ? `${label.kind} of ${nameOf(label.client)}`
    : `${label.rule} of ${label.clients.map(nameOf).toSorted().join(', ')}`;
}

/** Returns all storms and findings as lines of text, in one order. */
export function labelsOf({
  storms,
  findings,
}: {
  storms: readonly { kind: string; client: string }[];
  findings: readonly { rule: string; clients: readonly string[] }[];
}): string[] {
  return [...storms.map(labelOf), ...findings.map(labelOf)].toSorted();
}

type Figures = Partial<Pick<StormLabel, 'requests' | 'under_gate' | 'avoidable'>>;

/** Returns the figures of all storms and findings as lines of text, in one order. */
export function figuresOf({
  storms,
  findings,
}: {
  storms: readonly ({ kind: string; client: string } & Figures)[];
  findings: readonly ({ rule: string; clients: readonly string[] } & Figures)[];
}): string[] {
  return [
    ...storms.map(
      (storm) =>
        `${labelOf(storm)}: ${storm.requests} requests, ${storm.under_gate} under the gate, ${storm.avoidable} avoidable`,
    ),
    ...findings.map((finding) => `${labelOf(finding)}: ${finding.requests} requests`),
  ].toSorted();
}
