import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { FORMATS } from '../../src/formats/index.ts';
import type { Half } from '../../src/formats/format.ts';
import { tellLayout } from '../../src/ingest/layout.ts';
import { openLineReader } from '../../src/ingest/line-reader.ts';
import { FORMAT_NAMES, type AccessRecord } from '../../src/record.ts';
import { CUTTERS, WRAPS, wrapAll, type Wrap } from '../support/wrap.ts';

const CONTEXT = { timeZone: 'UTC', fileTime: Date.UTC(2026, 11, 1) * 1000 };

interface Read {
  records: AccessRecord[];
  halves: Half[];
  rejects: string[];
  counts: Record<'lines' | 'records' | 'parts' | 'other' | 'rejects' | 'halves', number>;
}

/** Everything a source gives, read as it would be by itself. */
function read(lines: readonly string[]): Read {
  const result: Read = {
    records: [],
    halves: [],
    rejects: [],
    counts: { lines: 0, records: 0, parts: 0, other: 0, rejects: 0, halves: 0 },
  };
  const layout = tellLayout({ lines: lines.filter((line) => line !== '').slice(0, 200), goesOn: false }, CONTEXT);
  const reader = openLineReader(layout, CONTEXT, {
    record: (record) => void result.records.push(record),
    halves(halves, _, isCounted) {
      result.halves.push(...halves);
      if (isCounted) result.counts.halves++;
    },
    reject(_, reason) {
      result.rejects.push(reason);
      result.counts.rejects++;
    },
    count: (what) => void result.counts[what]++,
  });
  for (const line of lines) reader.push(line);
  reader.end();
  result.counts.lines = reader.lines();
  return result;
}

/** A wrapper may add what the line lacks: its stamp. */
function withoutAddedStamps<T extends { ts: number | null }>(records: readonly T[], bare: readonly T[]): T[] {
  return records.map((record, index) => (bare[index]?.ts === null ? { ...record, ts: null } : record));
}

/** Formats that read the stamp of a Python logger before their line cannot tell it from a wrapper's. */
const isDatedTwice = (name: string, wrapper: string) => /^(?:httpx|fastmcp)/.test(name) && /timestamps|python/.test(wrapper);
const undated = ({ records, halves, ...rest }: Read): Read => ({
  ...rest,
  rejects: [],
  records: records.map((record) => ({ ...record, ts: null })),
  halves: halves.map((half) => ({ ...half, record: { ...half.record, ts: null } })),
});

function expectSame(wrapped: Read, bare: Read): void {
  expect(withoutAddedStamps(wrapped.records, bare.records)).toEqual(bare.records);
  const [got, wanted] = [wrapped, bare].map(({ halves }) => halves.map(({ record }) => record));
  expect(withoutAddedStamps(got ?? [], wanted ?? [])).toEqual(wanted);
  expect(wrapped.rejects).toEqual(bare.rejects);
  expectCounted(wrapped);
}

function expectCounted({ counts }: Read): void {
  const { lines, ...parts } = counts;
  expect(Object.values(parts).reduce((sum, count) => sum + count, 0)).toBe(lines);
}

const ESCAPE = '\u001b';
/** Without headers, which would change what the other samples mean. */
const samplesOf = (name: (typeof FORMAT_NAMES)[number]): string[] =>
  FORMATS[name].samples.map(({ line }) => line).filter((line) => line !== '' && !line.startsWith('#'));

describe.each(FORMAT_NAMES)('%s', (name) => {
  const lines = samplesOf(name);
  const bare = read(lines);

  it.each(Object.entries({ ...WRAPS, ...CUTTERS }))('is the same in %s', (wrapper, wrap) => {
    // Colours inside of colours are not told apart, and go.
    if (wrapper === 'ansi' && lines.some((line) => line.includes(ESCAPE))) return;
    const wrapped = read(wrapAll(lines, [wrap as Wrap]));
    if (isDatedTwice(name, wrapper)) expectSame(undated(wrapped), undated(bare));
    else expectSame(wrapped, bare);
  });
});

describe.each(readdirSync('samples/formats').filter((file) => file.endsWith('.log')))('samples/formats/%s', (file) => {
  const lines = readFileSync(`samples/formats/${file}`, 'utf8').split('\n').slice(0, -1);
  const bare = read(lines);
  const nests: [string, Wrap[]][] = Object.entries(WRAPS)
    .filter(([inner]) => inner !== 'ansi' && inner !== 'tail')
    .flatMap(([inner, wrap], index, all) => {
      const [outer, around] = all[(index * 7 + 3) % all.length] as [string, Wrap];
      return inner === outer ? [] : [[`${inner} in ${outer}`, [wrap, around]]];
    });

  it('is counted whole', () => expectCounted(bare));

  it.each(nests)('is the same in %s', (nest, wraps) => {
    const wrapped = read(wrapAll(lines, wraps));
    if (isDatedTwice(file, nest)) expectSame(undated(wrapped), undated(bare));
    else expectSame(wrapped, bare);
  });
});

describe('lines of several streams', () => {
  const lines = samplesOf('combined');
  const bare = read(lines);
  const other = samplesOf('json');

  it('are joined each by itself, however their pieces interleave', () => {
    const pieces = wrapAll(lines, [CUTTERS['cri in pieces'] as Wrap]);
    const errors = wrapAll(other, [CUTTERS['cri in pieces'] as Wrap]).map((line) => line.replace('stdout', 'stderr'));
    const mixed = pieces.flatMap((piece, index) => [piece, errors[index] ?? '']).filter((line) => line !== '');
    const { records, counts } = read(mixed);
    expect(records.filter(({ path }) => bare.records.some((record) => record.path === path)).length).toBeGreaterThanOrEqual(
      bare.records.length,
    );
    expect(records).toHaveLength(bare.records.length + read(other).records.length);
    expect(counts.lines).toBe(mixed.length);
  });

  it('in every wrapper at once are all read', () => {
    const mixed = Object.entries({ ...WRAPS }).flatMap(([name, wrap]) => (name === 'tail' ? [] : wrap(lines[0] ?? '', 1)));
    expect(read(mixed).counts).toMatchObject({ lines: mixed.length, records: mixed.length });
  });
});

test('damaged and shuffled lines of all wrappers are counted whole', () => {
  let state = 5;
  const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
  const wraps = Object.values({ ...WRAPS, ...CUTTERS });
  const samples = FORMAT_NAMES.flatMap((name) => samplesOf(name));
  for (let round = 0; round < 60; round++) {
    const lines = Array.from({ length: 30 }, () => {
      const line = samples[random(samples.length)] ?? '';
      const wrapped = wraps[random(wraps.length)]?.(line, random(50)) ?? [];
      const twice = wraps[random(wraps.length)]?.(wrapped[random(wrapped.length)] ?? '', random(50)) ?? [];
      const text = twice[random(twice.length)] ?? '';
      const at = random(text.length + 1);
      return [text, text.slice(0, at), text.slice(at), text.slice(0, at) + text.slice(at + 3), `${text}${text}`][random(5)] ?? '';
    });
    expectCounted(read(lines));
  }
});
