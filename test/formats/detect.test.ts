import { expect, test } from 'vitest';
import { detectFormat, parseLine } from '../../src/formats/detect.ts';
import { FORMATS } from '../../src/formats/index.ts';

const CONTEXT = { timeZone: 'UTC' };
const COMBINED = '192.0.2.1 - - [12/Oct/2026:09:14:03 +0200] "GET / HTTP/1.1" 200 1 "-" "-"';
const UVICORN = 'INFO:     10.0.9.4:41320 - "POST /mcp HTTP/1.1" 200 OK';
const JSON_LINE = '{"time":"2026-10-12T07:14:03Z","method":"GET","path":"/x","status":200}';

test('the format with the largest share of the lines wins', () => {
  expect(detectFormat([UVICORN, COMBINED, UVICORN, 'started'], CONTEXT)).toBe(FORMATS.uvicorn);
  expect(detectFormat([JSON_LINE, COMBINED, COMBINED], CONTEXT)).toBe(FORMATS.combined);
});

test('of equal shares the most specific format wins', () => {
  expect(detectFormat([COMBINED, JSON_LINE], CONTEXT)).toBe(FORMATS.json);
});

test('lines without a single request have no format', () => {
  expect(detectFormat(['started', '', '{"level":"info"}', '192.0.2.1 - - [x'], CONTEXT)).toBeUndefined();
  expect(detectFormat([], CONTEXT)).toBeUndefined();
});

test.each([
  ['a request of another format', JSON_LINE, 'combined', 'records'],
  ['a broken line of its own', `${COMBINED.slice(0, 60)}`, 'combined', 'reject'],
  ['a broken line of another', `${COMBINED.slice(0, 60)}`, 'uvicorn', 'reject'],
  ['an application line', 'INFO:     Started server process [17]', 'combined', 'other'],
  ['a line of nothing', 'hello', 'combined', 'other'],
  ['an empty line', '', 'json', 'other'],
] as const)('in a mixed stream %s is told', (_, line, preferred, wanted) => {
  const parsed = parseLine(line, FORMATS[preferred], CONTEXT);
  expect(typeof parsed === 'string' ? parsed : Object.keys(parsed)[0]).toBe(wanted);
});

test.each([
  [
    'ECS',
    '{"@timestamp":"2026-10-12T07:14:03Z","http.request.method":"GET","url.path":"/x","http.response.status_code":404,"client.ip":"192.0.2.1"}',
  ],
  [
    'a nested request',
    '{"ts":"2026-10-12T07:14:03Z","request":{"method":"GET","uri":"/x","client_ip":"192.0.2.1"},"response":{"status":404}}',
  ],
  [
    'a request line',
    '{"time_local":"12/Oct/2026:09:14:03 +0200","remote_addr":"192.0.2.1","request":"GET /x HTTP/1.1","status":"404"}',
  ],
  [
    'date and time apart',
    '{"date":"2026-10-12","time":"07:14:03","c-ip":"192.0.2.1","cs-method":"GET","cs-uri-stem":"/x","sc-status":"404"}',
  ],
  [
    'a prefix on every key',
    '{"scs_time":"2026-10-12T07:14:03Z","scs_method":"GET","scs_path":"/x","scs_status":404,"scs_ip":"192.0.2.1"}',
  ],
  [
    'spaces and other cases',
    ' { "Time" : 1791789243 , "Client-IP" : "192.0.2.1" , "Method" : "get" , "URL" : "https://example.com/x?y" , "Status Code" : 404 }',
  ],
])('JSON is read by its keys: %s', (_, line) => {
  const parsed = FORMATS.json.parse(line, CONTEXT);
  const record = { ts: 1_791_789_243_000_000, http_method: 'GET', path: '/x', address: '192.0.2.1', signal: { status: 404 } };
  expect(parsed).toMatchObject({ records: [record] });
});

test('a request line counts more than the parts beside it, and an absolute URL names the authority', () => {
  expect(FORMATS.json.parse('{"request":"GET /x?a HTTP/1.1","uri":"/index.php","status":200}', CONTEXT)).toMatchObject({
    records: [{ path: '/x' }],
  });
  expect(FORMATS.json.parse('{"method":"GET","url":"https://example.com/x?a","path":"/x","status":200}', CONTEXT)).toMatchObject({
    records: [{ path: '/x', authority: 'example.com' }],
  });
});

test.each([
  ['{"level":"info","msg":"GET /x","status":"ok","time":"2026-10-12T07:14:03Z"}'],
  ['{"log":"GET / 200","stream":"stdout","time":"2026-10-12T07:14:03Z"}'],
  ['{"kubernetes":{"host":"a","status":200,"method":"GET","path":"/x"},"msg":"x"}'],
  ['{"method":"retry","duration":3,"name":"job"}'],
])('application JSON is no request: %s', (line) => {
  expect(FORMATS.json.parse(line, CONTEXT)).toBe('other');
});

function durationOf(field: string): unknown {
  const parsed = FORMATS.json.parse(`{"method":"GET","path":"/","status":200,${field}}`, CONTEXT);
  return typeof parsed === 'object' && 'records' in parsed ? parsed.records[0]?.duration_us : parsed;
}

test.each([
  ['"duration":5', null],
  ['"duration":"5ms"', 5000],
  ['"duration_ms":5', 5000],
  ['"latency_us":"5"', 5],
  ['"request_time":0.005', 5000],
  ['"response_time":5', null],
  ['"elapsedSeconds":0.005', 5000],
])('a duration counts only with a unit: %s', (field, wanted) => {
  expect(durationOf(field)).toBe(wanted);
});

test.each([
  ['198.51.100.1 - John Doe', { address: '198.51.100.1', authority: null }],
  ['198.51.100.1 - a [b]', { address: '198.51.100.1', authority: null }],
  ['198.51.100.1 -', { address: '198.51.100.1', principal: null }],
  ['198.51.100.1:50123 - -', { address: '198.51.100.1' }],
  ['mcp.example.com 198.51.100.1 - -', { address: '198.51.100.1', authority: 'mcp.example.com' }],
  ['mcp.example.com:8443 client.example.net - -', { address: 'client.example.net', authority: 'mcp.example.com:8443' }],
  ['_ 2001:db8::1 - alice', { address: '2001:db8::1', authority: null }],
  ['client.example.net - -', { address: 'client.example.net' }],
  ['unix: - -', { address: null }],
  ['- - -', { address: null, principal: null }],
  ['Oct 12 09:14:03 web nginx: 198.51.100.1 - -', null],
  ['198.51.100.1', null],
])('in front of a combined stamp %j means %j', (front, wanted) => {
  const parsed = FORMATS.combined.parse(`${front} [12/Oct/2026:09:14:03 +0200] "GET / HTTP/1.1" 200 1 "-" "x"`, CONTEXT);
  if (wanted === null) expect(parsed).toBe('foreign');
  else expect(parsed).toMatchObject({ records: [wanted] });
});

test.each([
  ['"GET /a"b HTTP/1.1" 200 1 "-" "agent "q""', { path: '/a"b', user_agent: 'agent "q"' }],
  ['"GET /a\\" HTTP/1.1" 200 1 "-" "x\\"', { path: '/a"', user_agent: 'x\\' }],
  ['"GET / HTTP/1.1" 200 1 "-" "agent "q" and more"', { user_agent: 'agent "q" and more' }],
  ['"GET / HTTP/1.1" 200 1 - -', { user_agent: null }],
  ['"GET / HTTP/1.1" 200 1 "-" "x" 12345', { duration_us: null, attempts: null }],
  ['"GET / HTTP/1.1" 200 1 "-" "x" "2.75"', { duration_us: null, attempts: null }],
  [
    '"GET / HTTP/1.1" 200 1 "-" "x" 412 0.003 [ns-mcp-80] [] 10.0.1.4:80, 10.0.1.5:80 0, 157 2.001, 1.010 502, 200',
    { duration_us: 3000, attempts: 2 },
  ],
  ['"GET / HTTP/1.1" 401 1 "-" "x"', { principal: null }],
  ['"GET / HTTP/1.1" 499 - "-" "x"', { response_bytes: null, signal: { status: 499 } }],
  ['"GET / HTTP/1.1" 000 0 "-" "x"', { signal: { status: null } }],
])('behind a combined stamp %s means %j', (rest, wanted) => {
  const parsed = FORMATS.combined.parse(`198.51.100.1 - alice [12/Oct/2026:09:14:03 +0200] ${rest}`, CONTEXT);
  expect(parsed).toMatchObject({ records: [wanted] });
});
