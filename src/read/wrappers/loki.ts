// Loki: lines of logcli, its JSON lines, what Grafana downloads, and the values of the query interface.
import type { ParseContext } from '../../formats/format.ts';
import { isObject, textOf } from '../../formats/json-text.ts';
import { parseEpoch, parseIso, parseStamp } from '../../formats/time.ts';
import { readJson } from './json-line.ts';
import type { Peeled, Wrapper } from './wrapper.ts';

const LINE =
  /^(\d{4}-\d\d-\d\dT\S{8,26}) (\{(?:\s*|[A-Za-z_]\w*="(?:[^"\\]|\\.)*"(?:, ?[A-Za-z_]\w*="(?:[^"\\]|\\.)*")*)\})[ \t]+/;

function peelText(line: string, { timeZone }: ParseContext): Peeled | undefined {
  if (line.charCodeAt(4) !== 45 || !line.includes(' {')) return undefined;
  const [head, time = '', stream = ''] = LINE.exec(line) ?? [];
  const stamp = head === undefined ? null : parseIso(time, timeZone);
  return head === undefined || stamp === null ? undefined : { payload: line.slice(head.length), stamp, stream };
}

const VALUE = /^\["(\d{19})"/;

function peelJson(line: string): Peeled | undefined {
  const isValue = VALUE.test(line);
  if (!isValue && !line.includes('"line"')) return undefined;
  const value = readJson(line);
  if (Array.isArray(value)) {
    const [time, text] = value as unknown[];
    return typeof text === 'string' ? peeled(text, parseEpoch(textOf(time)), '') : undefined;
  }
  if (!isObject(value) || typeof value['line'] !== 'string') return undefined;
  // Tagged requests have a `line` too, but that is a number.
  const stamp = parseStamp(value['timestamp'] ?? value['ts']);
  return peeled(value['line'], stamp, JSON.stringify(value['labels'] ?? value['fields'] ?? ''));
}

function peeled(text: string, stamp: Peeled['stamp'], stream: string): Peeled {
  return { payload: text.replace(/\r?\n$/, ''), stamp: stamp ?? null, stream };
}

const SPEC = 'https://grafana.com/docs/loki/latest/';

export const loki: Wrapper = {
  name: 'loki',
  title: 'logcli',
  spec: `${SPEC}query/logcli/`,
  isSure: true,
  peel: peelText,
  samples: [
    {
      line: '2026-11-25T23:02:08Z {app="web", pod="web-0"} GET /mcp',
      expect: { payload: 'GET /mcp', stream: '{app="web", pod="web-0"}', ts: 1_795_647_728_000_000 },
    },
    {
      line: '2026-11-26T00:02:08+01:00 {} {"status":404}',
      expect: { payload: '{"status":404}', stream: '{}', ts: 1_795_647_728_000_000 },
    },
  ],
};

export const lokiJson: Wrapper = {
  name: 'loki-json',
  title: 'logcli -o jsonl, Loki query results, Grafana downloads',
  spec: `${SPEC}reference/loki-http-api/`,
  isSure: true,
  peel: peelJson,
  samples: [
    {
      line: '{"labels":{"app":"web"},"line":"GET /mcp","timestamp":"2026-11-25T23:02:08Z"}',
      expect: { payload: 'GET /mcp', stream: '{"app":"web"}', ts: 1_795_647_728_000_000 },
    },
    { line: '["1795647728000000001","GET /mcp"]', expect: { payload: 'GET /mcp', stream: '', ts: 1_795_647_728_000_000 } },
  ],
};
