// Loggers that write JSON around a text (zap, slog, logrus, python-json-logger), and shippers that do (fluent-bit, GCP, Splunk).
import type { ParseContext } from '../../formats/format.ts';
import { isObject, parseObject, textOf } from '../../formats/json-text.ts';
import { parseStamp } from '../../formats/time.ts';
import { asUvicorn } from './uvicorn-message.ts';
import type { Peeled, Wrapper } from './wrapper.ts';

/** Members that hold the text, the more telling first. */
const TEXTS = ['log', 'message', 'msg', 'textPayload', '_raw', 'line', 'body', 'event'] as const;
const TIMES = ['time', 'ts', 'timestamp', '@timestamp', 'Timestamp', 'asctime', '_time', 'date', 'datetime'] as const;
const MARK = /"(?:log|message|msg|textPayload|_raw|line|body|event)" ?: ?"/;

function peel(line: string, { timeZone }: ParseContext): Peeled | undefined {
  if (line.charCodeAt(0) !== 123 || !MARK.test(line)) return undefined;
  const object = parseObject(line);
  if (!isObject(object)) return undefined;
  const text = TEXTS.map((key) => object[key]).find((value) => typeof value === 'string');
  if (typeof text !== 'string') return undefined;
  const stamp = TIMES.map((key) => parseStamp(object[key], timeZone)).find((found) => found !== null) ?? null;
  const level = textOf(object['level'] ?? object['levelname'] ?? object['severity']).toUpperCase() || 'INFO';
  return { payload: asUvicorn(text.replace(/\r?\n$/, ''), level), stamp };
}

export const jsonEnvelope: Wrapper = {
  name: 'json-envelope',
  title: 'JSON of a logger or shipper around a text',
  spec: 'https://pkg.go.dev/go.uber.org/zap',
  isSure: false,
  peel,
  samples: [
    { line: '{"level":"info","ts":1795647728.5,"msg":"GET /mcp"}', expect: { payload: 'GET /mcp', ts: 1_795_647_728_500_000 } },
    {
      line: String.raw`{"container_name":"web","source":"stdout","log":"GET /mcp\n"}`,
      expect: { payload: 'GET /mcp' },
    },
    {
      line: '{"textPayload":"GET /mcp","timestamp":"2026-11-25T23:02:08.5Z"}',
      expect: { payload: 'GET /mcp', ts: 1_795_647_728_500_000 },
    },
  ],
};
