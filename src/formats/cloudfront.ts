// AWS CloudFront: standard logs (TSV, JSON) and real-time logs; columns as the last `#Fields:` line says, else the documented ones.
import { decodePercent } from './escape.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { remember } from './identity.ts';
import { objectParser, textOf } from './json-text.ts';
import { columnsIn, openLayout, type Dialect, type Layout } from './w3c-columns.ts';

const decode = remember(decodePercent);
const DIALECT: Dialect = { unit: 's', decode, decodePath: decode };

/** Columns were only ever added at the end, so a shorter line has the first of these. */
const STANDARD =
  'date time x-edge-location sc-bytes c-ip cs-method cs(host) cs-uri-stem sc-status cs(referer) cs(user-agent) cs-uri-query cs(cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end'.split(
    ' ',
  );
/** All of the fields of a real-time log that mean something here, in the order in which it writes those that were chosen. */
const REAL_TIME =
  'timestamp c-ip s-ip time-to-first-byte sc-status sc-bytes cs-method cs-protocol cs-host cs-uri-stem cs-bytes x-edge-location x-edge-request-id x-host-header time-taken cs-protocol-version c-ip-version cs-user-agent cs-referer cs-cookie cs-uri-query x-edge-response-result-type x-forwarded-for ssl-protocol ssl-cipher x-edge-result-type fle-encrypted-fields fle-status sc-content-type sc-content-len sc-range-start sc-range-end c-port x-edge-detailed-result-type c-country cs-accept-encoding cs-accept cache-behavior-path-pattern cs-headers'.split(
    ' ',
  );
const FEWEST = 12;

const STANDARD_HEAD = /^\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d\t[A-Z]{3}\d/;
const REAL_TIME_HEAD = /^\d{10}(?:\.\d{1,6})?\t[\da-fA-F.:]{2,45}\t[^\t]{1,45}\t[\d.-]{1,12}\t(?:\d{3}|-)\t/;

/** Returns whether an object is a line of a standard log (v2) in JSON. */
export function isCloudfront(object: Record<string, unknown>): boolean {
  return 'sc-status' in object && 'cs-method' in object && ('x-edge-request-id' in object || 'x-edge-result-type' in object);
}

const parseJson = objectParser('"sc-status"', isCloudfront, readObject);

function parse(line: string, context: ParseContext): Parsed {
  if (line.charCodeAt(0) === 123) return parseJson(line, context);
  if (line.startsWith('#')) return columnsIn(line)?.some((name) => name.startsWith('x-edge-')) === true ? 'other' : 'foreign';
  if (!line.includes('\t')) return 'foreign';
  const names = STANDARD_HEAD.test(line) ? STANDARD : REAL_TIME_HEAD.test(line) ? REAL_TIME : undefined;
  if (names === undefined) return 'foreign';
  const fields = line.split('\t');
  if (fields.length < FEWEST) return { reject: 'truncated' };
  return layoutOf(names, fields.length).read(fields, context.timeZone);
}

const layouts = new Map<readonly string[], Map<number, Layout>>();

function layoutOf(names: readonly string[], width: number): Layout {
  const known = layouts.get(names) ?? new Map<number, Layout>();
  const layout = known.get(width) ?? openLayout(names.slice(0, width), DIALECT);
  if (width <= names.length) layouts.set(names, known.set(width, layout));
  return layout;
}

/** Returns a parser that knows which columns were announced. */
function open(context: ParseContext): (line: string) => Parsed {
  let layout: Layout | undefined;
  return (line) => {
    if (line.startsWith('#')) {
      const announced = columnsIn(line);
      if (announced !== undefined) layout = isOurs(announced) ? openLayout(announced, DIALECT) : undefined;
      return announced !== undefined && isOurs(announced) ? 'other' : parse(line, context);
    }
    if (layout === undefined || !line.includes('\t')) return parse(line, context);
    return layout.read(line.split('\t'), context.timeZone);
  };
}

/** A real-time log's columns may be few; the seconds of its stamp are what no other has. */
function isOurs(names: readonly string[]): boolean {
  return names.some((name) => name.startsWith('x-edge-')) || names[0] === 'timestamp';
}

function readObject(object: Record<string, unknown>, { timeZone }: ParseContext): Parsed {
  const names = Object.keys(object).map((key) => key.toLowerCase());
  return openLayout(names, DIALECT).read(Object.values(object).map(textOf), timeZone);
}

export const cloudfront: Format = {
  name: 'cloudfront',
  title: 'AWS CloudFront, standard (TSV, JSON) and real-time',
  spec: 'https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html',
  time: 'end',
  parse,
  open,
  samples: [
    { line: '#Fields: date time x-edge-location sc-bytes c-ip', expect: 'other' },
    {
      line: '2026-12-04\t21:02:31\tLAX1\t392\t2001:db8::70\tPOST\td111111abcdef8.cloudfront.net\t/mcp%2520x\t404\t-\tMozilla/5.0%2520(X11;%2520Linux)\tapi_key=0123456789abcdef\t-\tError\tSOX4xwn4XV6Q4rgb7XiVGOHms_BGlTAC4KyHmureZmBNrjGdRLiNIQ==\tmcp.example.com\thttps\t23\t1.001\t203.0.113.7\tTLSv1.3\tTLS_AES_128_GCM_SHA256\tError\tHTTP/2.0\t-\t-\t11040\t0.001\tError\ttext/html\t78\t-\t-',
      expect: {
        ts: 1_796_418_150_000_000,
        duration_us: 1_001_000,
        address: '2001:db8::70',
        user_agent: 'Mozilla/5.0 (X11; Linux)',
        authority: 'mcp.example.com',
        http_method: 'POST',
        path: '/mcp x',
        request_bytes: 23,
        response_bytes: 392,
        credential: 'query parameter api_key',
        correlation: 'sox4xwn4xv6q4rgb7xivgohms_bgltac4kyhmurezmbnrjgdrliniq==',
        signal: { status: 404 },
      },
    },
    {
      line: '2026-12-04\t21:02:31\tSEA19-C2\t0\t203.0.113.8\tGET\td111111abcdef8.cloudfront.net\t/sse\t000\t-\tnode\t-\t-\tError\tid==\t-\thttps\t105\t0.238\t-\t-\t-\tError\tHTTP/1.1\t-\t-',
      expect: { authority: 'd111111abcdef8.cloudfront.net', path: '/sse', signal: { status: null } },
    },
    {
      line: '{"date":"2026-12-04","time":"21:02:31","x-edge-location":"FRA60-P1","c-ip":"203.0.113.8","cs-method":"GET","cs(Host)":"d111111abcdef8.cloudfront.net","cs-uri-stem":"/mcp","sc-status":"405","cs(User-Agent)":"node","x-edge-result-type":"Error","x-edge-request-id":"id==","x-host-header":"mcp.example.com","cs-protocol":"https","time-taken":"0.010","timestamp(ms)":"1796418151250"}',
      expect: {
        ts: 1_796_418_151_240_000,
        duration_us: 10_000,
        authority: 'mcp.example.com',
        path: '/mcp',
        signal: { status: 405 },
      },
    },
    {
      line: '1796418151.250\t203.0.113.8\t10.0.0.9\t0.010\t429\t120\tPOST\thttps\td111111abcdef8.cloudfront.net\t/mcp\t800\tFRA60-P1\tid==\tmcp.example.com\t0.050\tHTTP/2.0\tIPv4\tnode\t-\t-\t-\tError',
      expect: {
        ts: 1_796_418_151_200_000,
        duration_us: 50_000,
        address: '203.0.113.8',
        user_agent: 'node',
        authority: 'mcp.example.com',
        path: '/mcp',
        request_bytes: 800,
        response_bytes: 120,
        signal: { status: 429 },
      },
    },
    { line: '2026-12-04\t21:02:31\tLAX1\t392\t203.0.113.8\tPOST\td111111abcdef8.clou', expect: { reject: 'truncated' } },
    {
      line: '2026-12-44\t21:02:31\tSEA19-C2\t0\t203.0.113.8\tGET\td111111abcdef8.cloudfront.net\t/sse\t200\t-\tnode\t-\t-\tHit',
      expect: { reject: 'bad_time' },
    },
  ],
};
