// CloudWatch Logs: `aws logs tail`, and the events of filter-log-events, Insights and subscriptions.
import type { ParseContext } from '../../formats/format.ts';
import { isObject, textOf } from '../../formats/json-text.ts';
import { parseEpoch, parseIso } from '../../formats/time.ts';
import { readJson } from './json-line.ts';
import type { Peeled, Wrapper } from './wrapper.ts';

/** A stream has a slash (`ecs/web/0a1b2c`, `2026/11/25/[$LATEST]…`), is an instance, or a file; any other word may be text. */
const LINE =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3,6})?(?:[+-]\d\d:\d\d|Z)?) ([^\s/"]{1,255}\/\S{1,255}|i-[\da-f]{8,17}|[\w.-]{1,255}\.log) /;

function peelTail(line: string, { timeZone }: ParseContext): Peeled | undefined {
  if (line.charCodeAt(4) !== 45 || line.charCodeAt(10) !== 84) return undefined;
  const [head, time = '', stream = ''] = LINE.exec(line) ?? [];
  const stamp = head === undefined ? null : parseIso(time, timeZone);
  return head === undefined || stamp === null ? undefined : { payload: line.slice(head.length), stamp, stream };
}

function peelEvent(line: string): Peeled | undefined {
  if (!line.includes('essage"')) return undefined;
  const value = readJson(line);
  const event = Array.isArray(value) ? membersOf(value) : value;
  if (!isObject(event)) return undefined;
  if ('@message' in event) {
    // Insights prints UTC without saying so.
    const stamp = parseIso(textOf(event['@timestamp']), 'UTC');
    return peeled(event['@message'], stamp, textOf(event['@logStream']));
  }
  if (!('ingestionTime' in event || 'logStreamName' in event || 'eventId' in event || isSubscribed(event))) return undefined;
  return peeled(event['message'], parseEpoch(textOf(event['timestamp'])), textOf(event['logStreamName']));
}

/** Events of a subscription have three members and no more. */
function isSubscribed(event: Record<string, unknown>): boolean {
  return 'id' in event && typeof event['timestamp'] === 'number' && Object.keys(event).length <= 4;
}

/** Insights gives a row as a list of `{"field": …, "value": …}`. */
function membersOf(row: readonly unknown[]): Record<string, unknown> | undefined {
  const pairs = row.map((cell) =>
    isObject(cell) && typeof cell['field'] === 'string' ? [cell['field'], cell['value']] : undefined,
  );
  return pairs.every((pair) => pair !== undefined) ? (Object.fromEntries(pairs) as Record<string, unknown>) : undefined;
}

function peeled(message: unknown, stamp: Peeled['stamp'], stream: string): Peeled | undefined {
  const text = isObject(message) ? JSON.stringify(message) : message;
  if (typeof text !== 'string') return undefined;
  return { payload: text.replace(/\r?\n$/, ''), stamp: stamp ?? null, stream };
}

const SPEC = 'https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/';

export const cloudwatch: Wrapper = {
  name: 'cloudwatch',
  title: 'aws logs tail',
  spec: `${SPEC}API_StartLiveTail.html`,
  isSure: true,
  peel: peelTail,
  samples: [
    {
      line: '2026-11-25T23:02:08+00:00 ecs/web/0a1b2c GET /mcp',
      expect: { payload: 'GET /mcp', stream: 'ecs/web/0a1b2c', ts: 1_795_647_728_000_000 },
    },
    {
      line: '2026-11-25T23:02:08.123000+00:00 i-0123456789abcdef0 GET /mcp',
      expect: { payload: 'GET /mcp', stream: 'i-0123456789abcdef0', ts: 1_795_647_728_123_000 },
    },
  ],
};

export const cloudwatchJson: Wrapper = {
  name: 'cloudwatch-json',
  title: 'CloudWatch events (filter-log-events, Insights, subscriptions)',
  spec: `${SPEC}SubscriptionFilters.html`,
  isSure: true,
  peel: peelEvent,
  samples: [
    {
      line: String.raw`{"logStreamName":"web","timestamp":1795647728123,"message":"GET /mcp\n","ingestionTime":1795647729000,"eventId":"1"}`,
      expect: { payload: 'GET /mcp', stream: 'web', ts: 1_795_647_728_123_000 },
    },
    {
      line: '{"id":"1","timestamp":1795647728123,"message":"GET /mcp"}',
      expect: { payload: 'GET /mcp', stream: '', ts: 1_795_647_728_123_000 },
    },
    {
      line: '{"@timestamp":"2026-11-25 23:02:08.123","@message":{"status":404}}',
      expect: { payload: '{"status":404}', stream: '', ts: 1_795_647_728_123_000 },
    },
    {
      line: '[{"field":"@timestamp","value":"2026-11-25 23:02:08.123"},{"field":"@message","value":"GET /mcp"}]',
      expect: { payload: 'GET /mcp', stream: '', ts: 1_795_647_728_123_000 },
    },
  ],
};
