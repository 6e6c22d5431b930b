import { describe, expect, test } from 'vitest';
import { firstForwarded, parseAddress, parseAuthority, parsePeer } from '../../src/formats/address.ts';
import { decodePercent, unescapeField, unescapeHash } from '../../src/formats/escape.ts';
import { argumentsHash, hash16, principalOf, sessionOf } from '../../src/formats/identity.ts';
import { parseObject } from '../../src/formats/json-text.ts';
import { parseCode, parseCount, parseDuration, parseGoDuration, parseStatus } from '../../src/formats/numbers.ts';
import { blankRecord, parseMethod, readRequestLine } from '../../src/formats/request.ts';
import {
  challengeOf,
  decodeMcpName,
  protocolVersion,
  shareSignal,
  statusSignal,
  withSignal,
  wordingOf,
} from '../../src/formats/signal.ts';
import { countTries } from '../../src/formats/upstream.ts';
import { UNKNOWN_SIGNAL } from '../../src/record.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:5678', '192.0.2.1'],
  ['[2001:DB8::1]:443', '2001:db8::1'],
  ['2001:0db8:0000:0000:0001:0000:0000:0001', '2001:db8::1:0:0:1'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['2001:db8:0:0:1:0:0:0', '2001:db8:0:0:1::'],
  ['0:0:0:0:0:0:0:0', '::'],
  ['::1', '::1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:0201', '192.0.2.1'],
  ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
  ['fe80::1%eth0', 'fe80::1'],
  ['2001:db8:0:0:1:2:3:4:52106', '2001:db8::1:2:3:4'],
  ['Gateway.Example.com', 'gateway.example.com'],
  ['localhost:8080', 'localhost'],
  ['-', null],
  ['', null],
  ['-:22222', null],
  ['unknown', null],
  ['unix:', null],
  ['unix:/run/app.sock', null],
  ['<script>', null],
])('the address %j is %j', (text, wanted) => {
  expect(parseAddress(text)).toBe(wanted);
});

test.each([
  ['::1:52106', '::1'],
  ['10.0.9.4:41320', '10.0.9.4'],
  ['[::1]:52106', '::1'],
  ['', null],
])('the peer %j has the address %j', (text, wanted) => {
  expect(parsePeer(text)).toBe(wanted);
});

test('the left-most usable member of a forwarded list counts', () => {
  expect(firstForwarded('unknown, [2001:db8::1]:443,10.0.0.1')).toBe('2001:db8::1');
  expect(firstForwarded('-')).toBeNull();
});

test.each([
  ['MCP.Example.com', null, 'mcp.example.com'],
  ['mcp.example.com:443', null, 'mcp.example.com'],
  ['mcp.example.com:443', 'http', 'mcp.example.com:443'],
  ['mcp.example.com:80', 'http', 'mcp.example.com'],
  ['mcp.example.com:8443', 'https', 'mcp.example.com:8443'],
  ['[2001:DB8:0::1]:8080', null, '[2001:db8::1]:8080'],
  ['_', null, null],
  ['-', null, null],
  ['a b', null, null],
])('the authority %j under %j is %j', (text, scheme, wanted) => {
  expect(parseAuthority(text, scheme)).toBe(wanted);
});

function sessionIn(line: string): string | null {
  const record = blankRecord();
  readRequestLine(record, line);
  return record.session;
}

describe('a request line', () => {
  test.each([
    ['POST /mcp HTTP/1.1', 'POST', '/mcp', null],
    ['GET /a?b=c#d HTTP/2', 'GET', '/a', null],
    ['PATCHp /x HTTP/1.1', 'PATCHP', '/x', null],
    ['get http://Example.com:80?x HTTP/1.0', 'GET', '/', 'example.com'],
    ['GET https://alice:pw@example.com:8443/a HTTP/1.1', 'GET', '/a', 'example.com:8443'],
    ['GET /a b HTTP/1.1', 'GET', '/a b', null],
    ['GET / ', 'GET', '/', null],
    ['GET /', 'GET', '/', null],
    ['OPTIONS * HTTP/1.1', 'OPTIONS', '*', null],
    ['CONNECT example.com:443 HTTP/1.1', 'CONNECT', null, 'example.com'],
    ['GET login.cgi HTTP/1.0', 'GET', 'login.cgi', null],
    ['-', null, null, null],
    ['', null, null, null],
    ['GET', null, null, null],
    ['hello world', null, null, null],
    ['- - HTTP/1.1', null, null, null],
    ['- http://host:80- -', null, null, null],
    ['<BADREQ>', null, null, null],
    ['GET HTTP/1.1', null, null, null],
    ['OPTIONS sip:nm SIP/2.0', null, null, null],
    ['\\x16\\x03\\x01 x HTTP/1.1', null, null, null],
  ])('%j', (line, http_method, path, authority) => {
    const record = blankRecord();
    readRequestLine(record, line);
    expect(record).toMatchObject({ http_method, path, authority });
  });

  test('the old transport carries its session in the query, and only there', () => {
    expect(sessionIn('POST /messages/?session_id=abc HTTP/1.1')).toBe(hash16('abc'));
    expect(sessionIn('POST /mcp/messages?a=b&sessionId=abc HTTP/1.1')).toBe(hash16('abc'));
    expect(sessionIn('POST /shop?session_id=abc HTTP/1.1')).toBeNull();
  });

  test('a method is a token', () => {
    expect(parseMethod('M-SEARCH')).toBe('M-SEARCH');
    expect(parseMethod('G(T')).toBeNull();
  });
});

test.each([
  [200, 200],
  ['404', 404],
  ['000', null],
  [0, null],
  ['-', null],
  [-1, null],
  ['', null],
  [1000, null],
  [200.5, null],
  [null, null],
])('the status %j is %j', (value, wanted) => {
  expect(parseStatus(value)).toBe(wanted);
});

test('sizes and codes are whole numbers; missing is null', () => {
  expect([0, '17', '-', '', -1, 1.5, null, 1e300].map(parseCount)).toEqual([0, 17, null, null, null, null, null, null]);
  expect([-32_601, '-32601', '0', '', 'x', 1.5].map(parseCode)).toEqual([-32_601, -32_601, 0, null, null, null]);
});

test.each([
  ['3.012', 's', 3_012_000],
  [0.0004, 's', 400],
  ['41', 'ms', 41_000],
  [1500, 'ns', 2],
  ['-', 's', null],
  [-1, 's', null],
  ['2.001, 1.010', 's', null],
] as const)('%j in %s is %j µs', (value, unit, wanted) => {
  expect(parseDuration(value, unit)).toBe(wanted);
});

test.each([
  ['64ms', 64_000],
  ['1m3.2s', 63_200_000],
  ['35.22µs', 35],
  ['0.005192s', 5192],
  ['0', null],
  ['x', null],
])('the duration %j is %j µs', (text, wanted) => {
  expect(parseGoDuration(text)).toBe(wanted);
});

test.each([
  ['a\\x22b', 'a"b'],
  ['a\\"b\\\\', 'a"b\\'],
  ['\\xe4\\xb8\\x96\\xE7\\x95\\x8C', '世界'],
  ['\\xff\\xfe', '\\xff\\xfe'],
  ['\\x16\\x03\\x1b[0m', '\\x16\\x03\\x1b[0m'],
  ['\\xc2\\x9b', '\\xc2\\x9b'],
  ['\\x7f\\n', '\\x7f\\n'],
  ['plain', 'plain'],
])('the field %j reads %j', (text, wanted) => {
  expect(unescapeField(text)).toBe(wanted);
});

test.each([
  ['agent#22x#22 #2350#23', 'agent"x" #50#'],
  ['a\\b#7C', 'a\\b|'],
  ['#E4#B8#96#0A', '世\\x0A'],
  ['#FF', '\\xFF'],
  ['#zz', '#zz'],
])('the HAProxy field %j reads %j', (text, wanted) => {
  expect(unescapeHash(text)).toBe(wanted);
});

test.each([
  ['Mozilla/5.0%20(X11)', 'Mozilla/5.0 (X11)'],
  ['a%252520b', 'a b'],
  ['%E4%B8%96', '世'],
  ['%FF%0A%7f%zz', '%FF%0A%7f%zz'],
  ['plain', 'plain'],
])('the CloudFront field %j reads %j', (text, wanted) => {
  expect(decodePercent(text)).toBe(wanted);
});

test.each([
  ['10.0.0.1:80', 1],
  ['10.0.1.4:8000, 10.0.1.5:8000', 2],
  ['302 : 200', 2],
  ['502, 502 : 200', 3],
  ['-', 0],
  ['', null],
])('the upstream list %j shows %j tries', (list, wanted) => {
  expect(countTries(list)).toBe(wanted);
});

test.each([
  ['2025-11-25', '2025-11-25'],
  ['2026-07-28', '2026-07-28'],
  ['2099-01-01', 'other'],
  ['0.3.0', '0.3'],
  ['1.0', '1.0'],
  ['', null],
  ['-', null],
])('the protocol version %j is %j', (text, wanted) => {
  expect(protocolVersion(text)).toBe(wanted);
});

test('names and sessions are hashed, their absence is not', () => {
  expect(principalOf('user', 'alice')).toBe('user:2bd806c97f0e00af');
  expect(principalOf('key', 'k')).toMatch(/^key:[0-9a-f]{16}$/);
  expect([principalOf('user', '-'), principalOf('user', ''), sessionOf('-'), sessionOf(undefined)]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test('arguments hash alike whatever the order of their keys', () => {
  expect(argumentsHash({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(argumentsHash({ b: [{ d: 3, c: 2 }], a: 1 }));
  expect(argumentsHash({ a: 1 })).not.toBe(argumentsHash({ a: '1' }));
  expect(argumentsHash(undefined)).toBeNull();
  expect(argumentsHash(JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`))).toBeNull();
});

test('equal signals are one object', () => {
  const one = withSignal(withSignal(UNKNOWN_SIGNAL, 'status', 404), 'has_session', 'yes');
  const two = withSignal(withSignal(UNKNOWN_SIGNAL, 'has_session', 'yes'), 'status', 404);
  expect(one).toBe(two);
  expect(one).toBe(shareSignal({ ...UNKNOWN_SIGNAL, status: 404, has_session: 'yes' }));
  expect(withSignal(UNKNOWN_SIGNAL, 'status', 404)).toBe(statusSignal(404));
  expect(shareSignal({ ...UNKNOWN_SIGNAL })).toBe(UNKNOWN_SIGNAL);
  expect(Object.isFrozen(one)).toBe(true);
});

test.each([
  ['Rate limit exceeded', 'throttle'],
  ['Too Many Requests', 'throttle'],
  ['Session not found', 'session'],
  ['Unsupported protocol version', 'version'],
  ['Invalid Origin header', 'origin'],
  ['Tool requires task mode', 'task_mode'],
  ['original file is missing', 'none'],
])('%j speaks of %s', (text, wanted) => {
  expect(wordingOf(text)).toBe(wanted);
});

test('a challenge says what it wants', () => {
  expect(challengeOf('Bearer realm="x"')).toBe('token');
  expect(challengeOf('Bearer error="insufficient_scope", scope="a"')).toBe('scope');
  expect(challengeOf('')).toBe('absent');
});

test('an MCP name in base64 is decoded', () => {
  expect(decodeMcpName('=?base64?SGVsbG8sIOS4lueVjA==?=')).toBe('Hello, 世界');
  expect(decodeMcpName('search')).toBe('search');
});

test.each([
  ['{"a":1}', { a: 1 }],
  [' {"a":1}', { a: 1 }],
  ['{"a":,"b":}', { a: null, b: null }],
  ['{"a":"x\\x22y","b":-}', { a: 'x"y', b: null }],
  ['{"a":"\\\\x22"}', { a: '\\x22' }],
  ['{"a":', 'broken'],
  ['[1]', null],
  ['text', null],
])('the text %s is the object %j', (line, wanted) => {
  expect(parseObject(line)).toEqual(wanted);
});
