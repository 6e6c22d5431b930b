// Whole logs through the store: wrapped, packed, pretty-printed, cut anywhere.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openBlockParser, type BlockPart } from '../../src/ingest/block-parser.ts';
import { sampleOf, tellLayout } from '../../src/ingest/layout.ts';
import { readInputs, type ReadOptions } from '../../src/ingest/read-inputs.ts';
import { readPieces } from '../../src/read/blocks.ts';
import { openDatabase } from '../../src/store/database.ts';
import { tarOf, zipOf } from '../support/archives.ts';
import { CUTTERS, wrapAll, WRAPS } from '../support/wrap.ts';

const CONTEXT = { timeZone: 'UTC' };
const LINES = Array.from(
  { length: 40 },
  (_, n) =>
    `198.51.100.${n % 7} - - [12/Oct/2026:09:14:${String(n).padStart(2, '0')} +0200] "POST /mcp/${n % 3} HTTP/1.1" 404 153 "-" "node"`,
);
const OBJECTS = LINES.map((_, n) => ({
  time: `2026-10-12T07:14:${String(n).padStart(2, '0')}Z`,
  method: 'GET',
  path: `/${n}`,
  status: 404,
  tags: ['a', { b: '}' }],
}));

async function* cut(text: string, size: number): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** What a text gives, read in blocks of so many bytes and lines of at most so many. */
async function totalOf(text: string, size: number, maxLine = 1 << 20) {
  const parser = openBlockParser();
  const total = { lines: 0, records: 0, parts: 0, other: 0, rejects: 0, halves: 0, rows: 0 };
  const layout = tellLayout(sampleOf([{ lines: Buffer.from(text) }]), CONTEXT);
  const origin = {
    source: 'x',
    format: layout.format?.name,
    context: CONTEXT,
    ordered: { id: 1, wrappers: layout.wrappers, bytes: null },
  };
  const take = (part: BlockPart) => {
    const { counts, rejects, halves, slabs } = parser.parse(origin, part, []);
    for (const [what, count] of Object.entries(counts)) total[what as keyof typeof counts] += count;
    total.rejects += rejects.length;
    total.halves += halves.length;
    total.rows += slabs.reduce((sum, { rows }) => sum + rows, 0);
  };
  for await (const part of readPieces(cut(text, size), { blockSize: size, maxLine })) take(part);
  take('end');
  expect(total.records + total.parts + total.other + total.rejects + total.halves).toBe(total.lines);
  return total;
}

const pretty = JSON.stringify(OBJECTS, null, 2);
const TEXTS: [string, string, number][] = [
  ['CRI in pieces', `${wrapAll(LINES, [CUTTERS['cri in pieces'] as never]).join('\n')}\n`, 40],
  [
    'Docker in pieces within syslog',
    `${wrapAll(LINES, [CUTTERS['docker in pieces'] as never, WRAPS['syslog-5424'] as never]).join('\n')}\n`,
    40,
  ],
  ['a pretty-printed list', pretty, 40],
  ['pretty-printed objects', OBJECTS.map((one) => JSON.stringify(one, null, 1)).join('\n'), 40],
  ['an envelope over lines', JSON.stringify({ records: OBJECTS }, null, 2), 40],
  ['a pretty-printed list within CRI', wrapAll(pretty.split('\n'), [WRAPS.cri as never]).join('\n'), 40],
  ['a list on one line', `${JSON.stringify(OBJECTS)}\n`, 40],
  ['an envelope on one line', JSON.stringify({ events: OBJECTS }), 40],
  ['objects without anything between', OBJECTS.map((one) => JSON.stringify(one)).join(''), 40],
  [
    'events of CloudWatch over lines',
    JSON.stringify(
      { events: LINES.map((message, n) => ({ timestamp: 1_795_647_728_000 + n, message, eventId: String(n) })) },
      null,
      4,
    ),
    40,
  ],
  [
    'values of Loki',
    JSON.stringify({
      status: 'success',
      data: { result: [{ stream: {}, values: LINES.map((line, n) => [`17956477280000000${10 + n}`, line]) }] },
    }),
    40,
  ],
  ['text around a pretty-printed list', `starting\n${pretty}\nstopping\n`, 40],
];

describe.each(TEXTS)('%s', (_, text, rows) => {
  it('gives the same wherever it is cut', async () => {
    const whole = await totalOf(text, 1 << 20);
    expect(whole.rows).toBe(rows);
    expect(whole.rejects).toBe(0);
    for (const size of [1, 7, 64, 100, 1000]) expect(await totalOf(text, size)).toEqual(whole);
  });

  it('gives the same where its lines are too long to be held', async () => {
    if (text.split('\n').length > 3) return;
    const whole = await totalOf(text, 1 << 20);
    for (const size of [5, 64, 999]) expect(await totalOf(text, size, 256)).toEqual(whole);
  });

  it('cut off anywhere, or damaged, is counted whole', async () => {
    for (let size = 1; size < text.length; size += Math.ceil(text.length / 30)) {
      await totalOf(text.slice(0, size), 64);
      await totalOf(`${text.slice(0, size)}"]}\n{${text.slice(size + 3)}`, 64);
    }
  });
});

async function read(name: string, bytes: Uint8Array | string, more: Partial<ReadOptions> = {}) {
  const path = join(mkdtempSync(join(tmpdir(), 'stormgate-test-')), name);
  writeFileSync(path, bytes);
  const database = await openDatabase();
  const warnings: string[] = [];
  try {
    const sources = await readInputs(database, [{ name: path, bytes: bytes.length }], {
      timeZone: 'UTC',
      threads: 1,
      onWarning: (sentence) => warnings.push(sentence.replaceAll(path, name)),
      ...more,
    });
    const rows = await database.rows('SELECT line, part, ts FROM requests ORDER BY source, line, part');
    for (const source of sources) source.name = source.name.replace(path, name);
    return { sources, rows, warnings };
  } finally {
    await database.close();
  }
}

describe('inputs', () => {
  it('in archives are sources of their own, whatever is in them', async () => {
    const files = [
      { name: 'access.log', bytes: `${LINES.join('\n')}\n` },
      { name: 'pods/web.log.gz', bytes: gzipSync(`${wrapAll(LINES, [WRAPS.cri as never]).join('\n')}\n`) },
      { name: 'list.json', bytes: pretty },
    ];
    for (const archive of [tarOf(files), zipOf(files), gzipSync(tarOf(files))]) {
      const { sources, rows, warnings } = await read('logs', archive);
      expect(sources.map(({ name, format, records }) => [name, format, records])).toEqual([
        ['logs!access.log', 'combined', 40],
        ['logs!pods/web.log.gz', 'combined', 40],
        ['logs!list.json', 'json', 40],
      ]);
      expect(rows).toHaveLength(120);
      expect(warnings).toEqual([]);
    }
  });

  it('keep the numbers of their lines: an element stands on its first', async () => {
    const { rows } = await read('list.json', pretty);
    expect(rows.map(({ line }) => line)).toEqual(OBJECTS.map((_, n) => 2 + n * 12));
    const short = await read('list.json', JSON.stringify(OBJECTS));
    expect(short.rows.map(({ line, part }) => [line, part])).toEqual(OBJECTS.map((_, n) => [1, n]));
  });

  it('of which some lines alone are wrapped are read all the same', async () => {
    const { sources } = await read(
      'mixed.log',
      `${LINES.join('\n')}\n${wrapAll(LINES.slice(0, 5), [WRAPS['docker-json'] as never]).join('\n')}\n`,
    );
    expect(sources).toMatchObject([{ lines: 45, records: 45 }]);
    expect(
      await read('big.log', `${`${LINES.join('\n')}\n`.repeat(100)}${WRAPS['docker-json']?.(LINES[0] ?? '', 0)[0]}\n`),
    ).toMatchObject({
      sources: [{ lines: 4001, records: 4001 }],
    });
  });

  it('without zone are warned of once, unless somebody chose one', async () => {
    const lines = OBJECTS.map((one) => JSON.stringify({ ...one, time: one.time.replace('Z', '') })).join('\n');
    const warned = await read('zoneless.log', lines, { isZoneAssumed: true });
    expect(warned.warnings).toEqual([expect.stringContaining('"zoneless.log"')]);
    expect((await read('zoneless.log', lines)).warnings).toEqual([]);
    expect((await read('zoned.log', LINES.join('\n'), { isZoneAssumed: true })).warnings).toEqual([]);
  });

  it('take the year of syslog stamps from the file', async () => {
    const uvicorn = 'INFO:     10.0.9.5:0 - "POST /mcp/mcp HTTP/1.1" 404 Not Found';
    const { rows } = await read('syslog', `${wrapAll([uvicorn], [WRAPS['syslog-3164'] as never])[0]}\n`);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.['ts']).not.toBeNull();
  });

  it('are read by a description, and of several by the one that fits', async () => {
    const line = '192.0.2.1 404 "GET /mcp HTTP/1.1"';
    const description = '$remote_addr $status "$request"';
    expect((await read('own.log', line, { logFormat: description })).sources).toMatchObject([
      { format: 'nginx-log-format', records: 1 },
    ]);
    const several = await read('own.log', line, { described: ['$status "$request"', description] });
    expect(several.sources).toMatchObject([{ format: 'nginx-log-format', records: 1 }]);
    const wrapped = wrapAll([line, line], [WRAPS.cri as never]).join('\n');
    expect((await read('own.log', wrapped, { logFormat: description })).sources).toMatchObject([
      { format: 'nginx-log-format', records: 2 },
    ]);
  });

  it('in which every wrapper occurs are understood line by line', async () => {
    const { sources } = await read('wrappers.log', readFileSync('samples/wrappers.log', 'utf8'));
    expect(sources).toMatchObject([{ lines: 9, records: 8, parts: 1, format: 'combined' }]);
  });
});
