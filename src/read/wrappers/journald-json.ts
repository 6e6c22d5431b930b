// journalctl -o json: upper-case keys, all values texts; a message that is no UTF-8 is a list of bytes.
import { isObject, parseObject, textOf } from '../../formats/json-text.ts';
import { parseEpoch } from '../../formats/time.ts';
import type { Peeled, Wrapper } from './wrapper.ts';

function messageOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value) || !value.every((byte) => Number.isInteger(byte))) return undefined;
  return Buffer.from(value as number[]).toString('utf8');
}

function peel(line: string): Peeled | undefined {
  if (line.includes('"MESSAGE"')) return peelJournal(line);
  return line.includes('"log.journald"') ? peelVendor(line) : undefined;
}

function peelJournal(line: string): Peeled | undefined {
  const object = parseObject(line);
  if (!isObject(object)) return undefined;
  const payload = messageOf(object['MESSAGE']);
  if (payload === undefined) return undefined;
  const time = textOf(object['_SOURCE_REALTIME_TIMESTAMP'] ?? object['__REALTIME_TIMESTAMP']);
  const stream = `${textOf(object['_HOSTNAME'])} ${textOf(object['_SYSTEMD_UNIT'] ?? object['SYSLOG_IDENTIFIER'])} ${textOf(object['_PID'])}`;
  return { payload, stamp: parseEpoch(time), stream };
}

/** Platform.sh and Upsun ship the journal with the host and the program in the message. */
function peelVendor(line: string): Peeled | undefined {
  const object = parseObject(line);
  if (!isObject(object)) return undefined;
  const message = textOf(object['message']);
  const [head, stream = ''] = /^(\S{1,255} [\w./-]{1,128})(?:\[\d{1,10}\])?: /.exec(message) ?? [];
  const digits = /"timestamp_ns" ?: ?"?(\d{19})/.exec(line)?.[1] ?? '';
  return head === undefined ? undefined : { payload: message.slice(head.length), stamp: parseEpoch(digits), stream };
}

export const journaldJson: Wrapper = {
  name: 'journald-json',
  title: 'journalctl -o json',
  spec: 'https://systemd.io/JOURNAL_EXPORT_FORMATS/',
  isSure: true,
  peel,
  samples: [
    {
      line: '{"__REALTIME_TIMESTAMP":"1795647729000000","_SYSTEMD_UNIT":"nginx.service","MESSAGE":"GET /mcp"}',
      expect: { payload: 'GET /mcp', stream: ' nginx.service ', ts: 1_795_647_729_000_000 },
    },
    { line: '{"MESSAGE":[71,69,84]}', expect: { payload: 'GET', stream: '  ' } },
    {
      line: '{"timestamp_ns":1795647729000000001,"type":"log.journald","message":"app.0 nginx: GET /mcp"}',
      expect: { payload: 'GET /mcp', stream: 'app.0 nginx', ts: 1_795_647_729_000_000 },
    },
  ],
};
