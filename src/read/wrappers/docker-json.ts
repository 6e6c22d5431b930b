// Docker's json-file driver: one object a line, whose text ends in a newline; long lines come in pieces of 16 KiB without.
import { parseObject } from '../../formats/json-text.ts';
import { parseIso } from '../../formats/time.ts';
import type { Peeled, Wrapper } from './wrapper.ts';

const PIECE_BYTES = 16 << 10;

/** Some shippers drop all newlines, so a text without one goes on only if it is as long as a piece, or newlines were seen before. */
function peelAfter(line: string, hasSeenNewline: boolean): Peeled | undefined {
  if (line.charCodeAt(0) !== 123 || !line.includes('"log"') || !line.includes('"std')) return undefined;
  const object = parseObject(line);
  if (object === null || object === 'broken') return undefined;
  const { log, stream, time } = object;
  if (typeof log !== 'string' || (stream !== 'stdout' && stream !== 'stderr')) return undefined;
  const isWhole = log.endsWith('\n') || !(hasSeenNewline || Buffer.byteLength(log) >= PIECE_BYTES);
  const payload = log.endsWith('\n') ? log.slice(0, log.endsWith('\r\n') ? -2 : -1) : log;
  const stamp = typeof time === 'string' ? parseIso(time) : null;
  return { payload, stamp, stream, ...(isWhole ? {} : { continues: true }) };
}

export const dockerJson: Wrapper = {
  name: 'docker-json',
  title: 'Docker json-file',
  spec: 'https://docs.docker.com/engine/logging/drivers/json-file/',
  isSure: true,
  peel: (line) => peelAfter(line, false),
  open: () => {
    let hasSeenNewline = false;
    return (line) => {
      hasSeenNewline ||= line.charCodeAt(0) === 123 && line.includes(String.raw`\n","`);
      return peelAfter(line, hasSeenNewline);
    };
  },
  samples: [
    {
      line: String.raw`{"log":"GET \"/mcp\"\r\n","stream":"stdout","time":"2026-11-25T23:02:04.000000001Z"}`,
      expect: { payload: 'GET "/mcp"', stream: 'stdout', ts: 1_795_647_724_000_000 },
    },
    { line: '{"log":"no newline","stream":"stderr"}', expect: { payload: 'no newline', stream: 'stderr' } },
    {
      line: `{"log":"${'x'.repeat(PIECE_BYTES)}","stream":"stderr"}`,
      expect: { payload: 'x'.repeat(PIECE_BYTES), stream: 'stderr', continues: true },
    },
  ],
};
