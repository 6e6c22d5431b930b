// chi's Logger middleware: local time, absolute URL, sizes and durations with their units, colours even in files.
import { parsePeer } from './address.ts';
import { stripColours } from './colour.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { parseCount, parseGoDuration, parseStatus } from './numbers.ts';
import { blankRecord, readRequestLine } from './request.ts';
import { statusSignal } from './signal.ts';
import { parseIso, startOf } from './time.ts';

const LINE =
  /^(?:(\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d(?:\.\d{1,9})?) )?(?:\[([^\]]{1,256})\] )?"([A-Z]+ \S+ HTTP\/[\d.]+)" from (\S*) - (\d{1,3}) (\d+)B in (\S{1,40})$/;
const LIKE_ONE = /^\d{4}\/\d\d\/\d\d \S{8,18} (?:\[[^\]]{1,256}\] )?"[A-Z]{3,16} https?:\/\//;

function parse(line: string, { timeZone }: ParseContext): Parsed {
  if (!line.includes('://')) return 'foreign';
  const text = stripColours(line);
  const match = text.includes('" from ') ? LINE.exec(text) : null;
  if (match === null) return LIKE_ONE.test(text) ? { reject: text.includes('B in ') ? 'bad_fields' : 'truncated' } : 'foreign';
  const [, time, id = '', request = '', peer = '', status, bytes, took = ''] = match;
  const end = time === undefined ? null : parseIso(time.replaceAll('/', '-'), timeZone);
  if (end === null && time !== undefined) return { reject: 'bad_time' };
  const record = blankRecord();
  record.address = parsePeer(peer);
  readRequestLine(record, request);
  // 000: the handler wrote no header. net/http then sends 200, unless the client had gone.
  record.signal = statusSignal(parseStatus(status));
  record.response_bytes = parseCount(bytes);
  record.duration_us = parseGoDuration(took);
  record.correlation = id.toLowerCase() || null;
  record.ts = end === null ? null : startOf(end, record.duration_us);
  return { records: [record] };
}

export const chi: Format = {
  name: 'chi',
  title: 'chi Logger middleware (Go)',
  spec: 'https://pkg.go.dev/github.com/go-chi/chi/v5/middleware#Logger',
  time: 'end',
  parse,
  samples: [
    {
      line: '2026/11/18 06:00:12 [Host/AbC-000001] "POST http://mcp.example.com/mcp?a=b HTTP/1.1" from 198.51.100.72:51112 - 404 19B in 35.22µs',
      expect: {
        ts: 1_794_981_612_000_000,
        duration_us: 35,
        address: '198.51.100.72',
        authority: 'mcp.example.com',
        http_method: 'POST',
        path: '/mcp',
        response_bytes: 19,
        correlation: 'host/abc-000001',
        signal: { status: 404 },
      },
    },
    {
      line: '2026/11/18 06:01:14 \u001b[36m"\u001b[0m\u001b[35;1mGET \u001b[0m\u001b[36mhttps://mcp.example.com:8443/sse HTTP/2.0"\u001b[0m from [2001:db8::72]:51113 - \u001b[32;1m000\u001b[0m\u001b[34;1m 0B\u001b[0m in \u001b[31m1m3.2s\u001b[0m',
      expect: {
        ts: 1_794_981_611_000_000,
        duration_us: 63_200_000,
        address: '2001:db8::72',
        authority: 'mcp.example.com:8443',
        signal: { status: null },
      },
    },
    {
      line: '2026/11/38 06:00:12 "GET http://mcp.example.com/ HTTP/1.1" from 198.51.100.72:51112 - 200 2B in 1ms',
      expect: { reject: 'bad_time' },
    },
    { line: '2026/11/18 06:00:12 "GET http://mcp.example.com/ HT', expect: { reject: 'truncated' } },
  ],
};
