import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FORMATS } from '../../src/formats/index.ts';
import { openBlockParser } from '../../src/ingest/block-parser.ts';
import { openDictionary } from '../../src/ingest/dictionary.ts';
import { openLineReader } from '../../src/ingest/line-reader.ts';
import { writeRow } from '../../src/ingest/rows.ts';
import { eachLine, lineText } from '../../src/read/lines.ts';
import { REQUEST_COLUMNS, type FormatName } from '../../src/record.ts';
import { Slab, slabColumn, type SlabData } from '../../src/store/slab.ts';
import { seeded } from '../support/stories/random.ts';

const context = { timeZone: 'UTC' };
const source = 'access.log';

type Rows = Record<string, (bigint | null)[]>;

function rowsOf(slabs: readonly SlabData[]): Rows {
  const rows: Rows = {};
  for (const [column, name] of REQUEST_COLUMNS.entries()) {
    rows[name] = slabs.flatMap((slab) => {
      const { values, validity } = slabColumn(slab, column);
      return Array.from({ length: slab.rows }, (_, row) =>
        (validity[row >> 3] ?? 0) & (1 << (row & 7)) ? (values[row] ?? null) : null,
      );
    });
  }
  return rows;
}

/** The plain way: every line alone through a reader. */
function parsePlainly(format: FormatName, block: Buffer): Rows {
  const dictionary = openDictionary();
  const slabs: Slab[] = [];
  let line = 0;
  eachLine(block, (start, end) => {
    line++;
    const reader = openLineReader({ wrappers: [], format: FORMATS[format] }, context, {
      record(record, _, part) {
        if (slabs.length === 0 || slabs.at(-1)?.rows === 2048) slabs.push(new Slab());
        writeRow(slabs.at(-1) as Slab, record, { source, line, part }, dictionary);
      },
      halves: () => undefined,
      reject: () => undefined,
      count: () => undefined,
    });
    reader.push(lineText(block, start, end));
    reader.end();
  });
  return rowsOf(slabs);
}

const SEEDS: Record<string, string[]> = {
  combined: [
    '198.51.100.23 - - [12/Oct/2026:09:14:03 +0200] "POST /mcp/mcp HTTP/1.1" 404 153 "-" "node"',
    '198.51.100.24 - - [12/Oct/2026:09:14:04 +0200] "GET /mcp HTTP/1.1" 200 - "-" "Mozilla/5.0 (X11; Linux x86_64)"',
    '2001:db8::9 - alice [12/Oct/2026:09:14:05 -0330] "GET /a?session_id=1 HTTP/2.0" 401 0 "https://example.com/" "curl/8.0"',
    '203.0.113.9 - - [12/Oct/2026:09:15:59 +0200] "GET /messages/?session_id=abc HTTP/1.1" 202 5 "-" "python-httpx/0.28.1"',
    '203.0.113.9 - - [12/Oct/2026:09:15:59 +0200] "GET /x?token=abcdefghijk HTTP/1.1" 200 5',
    '- - - [12/Oct/2026:09:15:59 +0200] "-" 408 0 "-" "-"',
    '198.51.100.23 - - [12/Oct/2026:09:14:03 +0200] "GET / HTTP/1.1" 200 1 "-" "agent" 0.013 "10.0.0.1:80"',
  ],
  json: [
    '{"time_iso8601":"2026-10-12T07:14:03+00:00","msec":"1791789243.481","remote_addr":"198.51.100.23","request_method":"POST","request_uri":"/mcp","host":"mcp.example.com","status":"502","body_bytes_sent":"157","request_length":"412","request_time":"3.012","upstream_addr":"10.0.1.4:8000, 10.0.1.5:8000","upstream_status":"502, 502","http_user_agent":"python-httpx/0.28.1","http_mcp_session_id":"","http_mcp_method":"tools/call","http_mcp_name":"search","request_id":"6f1c2d3e4a5b60718293a4b5c6d7e8f9"}',
    '{"time_iso8601":"2026-10-12T07:14:09.250+02:00","remote_addr":"198.51.100.24","request_method":"GET","request_uri":"/mcp","status":405,"body_bytes_sent":0,"request_time":0.001,"http_user_agent":"node","http_mcp_session_id":"abc","http_mcp_protocol_version":"2025-11-25"}',
    '{"remote_addr":"198.51.100.24","request_uri":"/mcp","request_method":"GET","time_iso8601":"2026-10-12T07:14:09Z","status":"405","server_protocol":"HTTP/1.1","remote_user":"","upstream_addr":"10.0.0.1:80","http_user_agent":"node"}',
    '{"remote_addr":"","request_uri":"","request_method":"","time_iso8601":"2026-10-12T07:14:09Z","status":"400","http_user_agent":""}',
    '{"timestamp":"2026-10-12T07:14:09.123456Z","remote_addr":"198.51.100.24","scheme":"https","host":"a.example:443","request_uri":"/messages/?session_id=7","request_method":"POST","status":"202","http_mcp_session_id":"-"}',
  ],
};

/** Seeded damage: a byte changed, cut out or doubled, two lines spliced; most lines stay as they are. */
function* mutated(lines: readonly string[], count: number, random: () => number): Generator<Buffer> {
  const pick = (limit: number): number => Math.floor(random() * limit);
  const interesting = ['"', '\\', ' ', '-', ',', ':', '{', '}', '0', '9', '.', '?', '\u00fc', '\t', '[', ']', 'A', '/'];
  for (let index = 0; index < count; index++) {
    const line = lines[pick(lines.length)] ?? '';
    const at = pick(line.length);
    const kind = pick(12);
    if (kind === 0) yield Buffer.from(line.slice(0, at) + (interesting[pick(interesting.length)] ?? '') + line.slice(at + 1));
    else if (kind === 1) yield Buffer.from(line.slice(0, at) + line.slice(at + 1 + pick(6)));
    else if (kind === 2) yield Buffer.from(line.slice(0, at) + line.slice(Math.max(0, at - pick(8))));
    else if (kind === 3) yield Buffer.from(line.slice(0, at) + (lines[pick(lines.length)] ?? '').slice(at));
    else if (kind === 4) yield Buffer.from(line.replace(/\d/g, (digit) => (random() < 0.1 ? String(pick(10)) : digit)));
    else yield Buffer.from(line);
  }
}

/** Each row as text behind its line, so that a failure shows both. */
function byLine(block: Buffer, rows: Rows): string[] {
  const lines = block.toString('latin1').split('\n');
  const columns = REQUEST_COLUMNS.map((name) => rows[name] ?? []);
  return (rows['line'] ?? []).map((line, row) => `${lines[Number(line) - 1]} => ${columns.map((column) => column[row]).join()}`);
}

describe('the fast path', () => {
  it.each(Object.entries(SEEDS))('gives the same rows as parsing, over mutated %s lines', (format, seeds) => {
    const parser = openBlockParser();
    const random = seeded(format);
    for (let round = 0; round < 8; round++) {
      const block = Buffer.concat([...mutated(seeds, 3000, random)].flatMap((line) => [line, Buffer.from('\n')]));
      const { slabs } = parser.parse({ source, format, context }, { lines: block }, []);
      const [fast, plain] = [byLine(block, rowsOf(slabs)), byLine(block, parsePlainly(format as FormatName, block))];
      const differs = fast.findIndex((row, index) => row !== plain[index]);
      expect(fast[differs]).toBe(plain[differs]);
      expect(fast.length).toBe(plain.length);
    }
  });

  it.each(readdirSync('samples/formats').filter((file) => file.endsWith('.log') && file !== 'tagged.log'))(
    'gives the same rows as parsing, over samples/formats/%s',
    (file) => {
      const block = readFileSync(`samples/formats/${file}`);
      const parser = openBlockParser();
      for (const format of ['combined', 'json'] as const) {
        for (let pass = 0; pass < 3; pass++) {
          expect(rowsOf(parser.parse({ source, format, context }, { lines: block }, []).slabs)).toEqual(
            parsePlainly(format, block),
          );
        }
      }
    },
  );

  it.each(Object.entries(SEEDS))('takes the usual %s line', (format, [usual = '']) => {
    const scan = FORMATS[format as FormatName].scan;
    expect(scan).toBeDefined();
    const parser = openBlockParser();
    const block = Buffer.from(
      `${usual.replace('10.0.1.4:8000, 10.0.1.5:8000', '10.0.1.4:8000').replace('502, 502', '502')}\n`.repeat(3),
    );
    expect(parser.parse({ source, format, context }, { lines: block }, []).counts).toEqual({
      lines: 3,
      records: 3,
      parts: 0,
      other: 0,
    });
  });
});
