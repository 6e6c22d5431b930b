// Lines that tell of several requests, and middleware that tells of one request twice.
import { expect, test } from 'vitest';
import type { Format, Parsed } from '../../src/formats/format.ts';
import { FORMATS } from '../../src/formats/index.ts';
import { openPairing } from '../../src/formats/pair.ts';
import type { AccessRecord } from '../../src/record.ts';

const CONTEXT = { timeZone: 'UTC' };

/** Reads lines as one source: every request with the line it begins on, in the order of their ends. */
function readAll(format: Format, lines: readonly string[]): (AccessRecord & { line: number })[] {
  const parse: (line: string) => Parsed = format.open?.(CONTEXT) ?? ((line) => format.parse(line, CONTEXT));
  const pairing = openPairing();
  const found: (AccessRecord & { line: number })[] = [];
  const emit = ({ record, line }: { record: AccessRecord; line: number }): void => void found.push({ ...record, line });
  for (const [index, line] of lines.entries()) {
    const parsed = parse(line);
    if (typeof parsed !== 'object' || 'reject' in parsed) continue;
    if ('records' in parsed) for (const record of parsed.records) emit({ record, line: index + 1 });
    else pairing.add(parsed.halves, index + 1, emit);
  }
  pairing.end(emit);
  return found;
}

test('every RPC of a request that Kong logged is a request with its own outcome', () => {
  const line = FORMATS.kong.samples[0].line;
  expect(readAll(FORMATS.kong, [line])).toMatchObject([
    { path: '/mcp', rpc_method: 'tools/call', rpc_name: 'list_orders', signal: { status: 200, rpc_code: null } },
    { path: '/mcp', rpc_method: 'tools/run', rpc_name: null, signal: { status: 200, rpc_code: -32_601, rpc_outcome: 'error' } },
  ]);
});

function retry(attempt: number): string {
  return `Request tools/call failed (attempt ${attempt}/4): TimeoutError`;
}

test('timing and retry lines of FastMCP count only where nothing else tells of the request', () => {
  const timing = 'Request tools/call completed in 1.23ms';
  const start = 'event=request_start method=tools/call source=client';
  const end = 'event=request_success method=tools/call source=client duration_ms=2.5';
  expect(readAll(FORMATS.fastmcp, [timing, timing])).toHaveLength(2);
  expect(readAll(FORMATS.fastmcp, [retry(1), retry(2), retry(3)])).toHaveLength(1);
  expect(readAll(FORMATS.fastmcp, [start, retry(1), retry(2), timing, end])).toMatchObject([{ line: 1, duration_us: 2500 }]);
});
