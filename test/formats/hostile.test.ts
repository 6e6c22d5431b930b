// Lines that attackers and broken disks write: nothing throws, nothing takes long, the same line is always read the same way.
import { describe, expect, test } from 'vitest';
import { parseLine } from '../../src/formats/detect.ts';
import { FORMATS } from '../../src/formats/index.ts';
import { maskLine } from '../../src/formats/mask.ts';

const CONTEXT = { timeZone: 'UTC' };
const formats = Object.values(FORMATS);
const MEGABYTE = 1_000_000;
const fill = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length));

const FRONT = '192.0.2.1 - - [12/Oct/2026:09:14:03 +0200] "';
const PIECES = [
  '"',
  '\\',
  '\\"',
  '" ',
  ' ',
  ' [',
  '[12/Oct/2026:',
  '" 200 ',
  ', ',
  '" "',
  '\t',
  ' 0/0/0/0/0',
  '|',
  '%25',
  '" 404 - ',
  ' : ',
  '1.000, ',
  'unix:a,',
  'rt="',
  '=',
  ':',
  '::',
  '/',
  '//',
  '//a:',
  '%20',
  '{',
  '[',
  '{"a":',
  '"a":,',
  '\\x22',
  '\\xe4',
  'eyJ',
  '-eyJ-',
  'eyJaaaaaaaa.',
  'sk-',
  'token=',
  'bearer ',
  'Bearer a',
  'cookie":"',
  "';",
  '@',
  'a.b=',
  ' error=',
  ' mcp.x=',
  ' mcp.error.message="',
  '\u001b[',
  'INFO: ',
  '"jsonrpc":"2.0",',
  '\u0000',
  '世',
];
const AROUND: [string, string, string][] = [
  ['alone', '', ''],
  ['as request', FRONT, ''],
  ['as path', `${FRONT}GET /`, ' HTTP/1.1" 200 1 "-" "-"'],
  ['as query', `${FRONT}GET /?a=`, ' HTTP/1.1" 200 1 "-" "-"'],
  ['as user agent', `${FRONT}GET / HTTP/1.1" 200 1 "-" "`, '"'],
  ['behind the user agent', `${FRONT}GET / HTTP/1.1" 200 1 "-" "-" `, ''],
  ['as user', '192.0.2.1 - ', ' [12/Oct/2026:09:14:03 +0200] "GET / HTTP/1.1" 200 1'],
  ['as JSON', '{"status":200,"method":"GET","path":"/', '"}'],
  ['as a caddy line', '{"logger":"http.log.access","status":200,"ts":1,"request":{"uri":"', '"}}'],
  ['as an agentgateway error', '2026-11-15T12:00:00.1Z\tinfo\trequest gateway=a src.addr=192.0.2.1:1 error=', ''],
  ['behind ingress-nginx', `${FRONT}GET / HTTP/1.1" 200 1 "-" "-" 5 0.1 [a] [] `, ' 4e1f9a0c7b3d4e56a1b2c3d4e5f60718'],
  ['as user agent of traefik', `${FRONT}GET / HTTP/1.1" 200 1 "-" "`, '" 51 "m" "http://a" 2ms'],
  ['in front of traefik', '', ' 51 "m" "http://a" 2ms'],
  ['as upstreams of apisix', '192.0.2.1 - - [12/Oct/2026:09:14:03 +0200] a "GET / HTTP/1.1" 200 1 0.1 "-" "-" ', ' "http://a/"'],
  ['as words of haproxy', '192.0.2.1:1 [09/Nov/2026:11:22:33.104] fe be/a ', ' "GET / HTTP/1.1"'],
  [
    'as captures of haproxy',
    '192.0.2.1:1 [09/Nov/2026:11:22:33.104] fe be/a 0/0/1/2/3 404 1 - - ---- 1/1/1/1/0 0/0 {',
    '} "GET / HTTP/1.1"',
  ],
  ['behind haproxy CLF', `${FRONT}GET / HTTP/1.1" 504 1 "" "" 50211 104 "`, ''],
  ['as path of envoy', '[2026-11-03T07:30:00.101Z] "GET /', '" 200 - 1 1 1 1 "-" "-" "-" "-" "-"'],
  ['as details of istio', '[2026-11-03T07:30:00.101Z] "GET / HTTP/1.1" 200 - ', ' "-" 0 0 0 - "-" "-" "-" "-" "-" - -'],
  ['as upstreams of Nginx Proxy Manager', '[10/Feb/2026:21:23:32 +0100] - ', ''],
  ['as request of NPMplus', '[10/Feb/2026:21:23:49 +0100] a 192.0.2.1 0.002 "', ''],
  ['as fields of ALB', 'h2 2026-11-10T06:00:01.250031Z app/a/0 ', ''],
  ['as query of IIS', '2026-11-12 05:00:09 10.5.0.4 GET / ', ' 443 - 192.0.2.1 x - 200 0 0 1'],
  ['as user agent of CloudFront', '2026-12-04\t21:02:31\tLAX1\t1\t192.0.2.1\tGET\ta\t/\t404\t-\t', '\t-\t-\t-'],
  ['as message of caddy', '2026/10/15 08:54:03.500\tINFO\thttp.log.access\t', '{"request":{},"status":200}'],
  ['as a uvicorn request', 'INFO:     192.0.2.1:1 - "', '" 200 OK'],
  ['as a morgan URL', 'GET /', ' 200 1.000 ms - 1'],
  ['as an aiohttp request', '192.0.2.1 [12/Oct/2026:09:14:03 +0200] "', '" 200 1 "-" "-"'],
  ['as a chi URL', '2026/11/18 06:00:12 "GET http://a/', ' HTTP/1.1" from 192.0.2.1:1 - 200 1B in 1ms'],
  ['as a message of Claude Desktop', '2026-11-21T08:00:00.101Z [a] [info] Message from client: {', '}'],
  ['as an error of FastMCP', 'event=request_error method=tools/call source=client error=', ''],
  ['as an answer to VS Code', '2026-11-21 08:30:00.101 [info] 404 status sending message to https://', ''],
  ['as a value of Tyk', 'time="Nov 14 03:10:09" prefix=access-log method=GET path=/ user_agent="', '"'],
  ['as a Tomcat agent', `${FRONT}GET / HTTP/1.1" 200 1 10.0.0.3 + 1.2 "-" "`, '" X-Forwarded-For="-"'],
];

describe.each(AROUND)('a very long line with text %s', (where, before, after) => {
  test.each(PIECES.map((piece) => [piece]))('of %j is read in a moment', (piece) => {
    const line = before + fill(piece, where === 'alone' ? MEGABYTE : MEGABYTE / 10) + after;
    const started = process.cpuUsage();
    for (const format of formats) format.parse(line, CONTEXT);
    maskLine(line);
    const { user } = process.cpuUsage(started);
    // Linear work is some tens of ms; anything quadratic would take many seconds.
    expect(user).toBeLessThan(2_000_000);
  });
});

/** Returns a generator of numbers below a bound, the same every time (mulberry32). */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

const SAMPLES = formats.flatMap((format) => format.samples.map(({ line }) => line));

function mutate(line: string, random: (below: number) => number): string {
  const at = random(line.length + 1);
  const to = at + random(8);
  const other = SAMPLES[random(SAMPLES.length)] ?? '';
  switch (random(6)) {
    case 0:
      return line.slice(0, at);
    case 1:
      return line.slice(0, at) + line.slice(to);
    case 2:
      return line.slice(0, at) + (PIECES[random(PIECES.length)] ?? '') + line.slice(to);
    case 3:
      return line.slice(0, at) + String.fromCharCode(random(0x250)) + line.slice(at + 1);
    case 4:
      return line.slice(0, at) + other.slice(random(other.length));
    default:
      return line.slice(0, to) + line.slice(at);
  }
}

test('mutated lines never throw, and are read the same way twice', () => {
  const random = seeded(7);
  for (let round = 0; round < 8000; round++) {
    let line = SAMPLES[round % SAMPLES.length] ?? '';
    for (let times = random(4); times >= 0; times--) line = mutate(line, random);
    for (const format of formats) {
      const once = format.parse(line, CONTEXT);
      if (round % 10 === 0) expect(format.parse(line, CONTEXT)).toEqual(once);
      if (typeof once === 'object' && 'records' in once) {
        for (const record of once.records) expect(record.ts === null || Number.isSafeInteger(record.ts)).toBe(true);
      }
    }
    parseLine(line, formats[random(formats.length)], CONTEXT);
    maskLine(line);
  }
}, 60_000);

test('the short way through a usual combined line gives what the long way gives', () => {
  const random = seeded(11);
  const pick = (texts: readonly string[]): string => texts[random(texts.length)] ?? '';
  for (let round = 0; round < 2000; round++) {
    const front = `${pick(['192.0.2.1', '2001:DB8::1', 'host.example.com', '-', '::ffff:192.0.2.1'])} - ${pick(['-', 'alice'])}`;
    const request = `${pick(['GET', 'POST', 'PROPFIND'])} ${pick(['/', '/mcp', '/messages/', '/a/AKIAABCD1234ABCD1234', '//x'])}${pick(['', '?', '?a=b', '?token=0123456789', '?session_id=1'])}`;
    const answer = `${pick(['200', '401', '499', '999'])} ${pick(['-', '0', '153'])} "${pick(['-', 'https://example.com/?q=1'])}" "${pick(['-', '', 'node', 'a b/1.0 token=0123456789'])}"`;
    const line = `${front} [12/Oct/2026:09:14:03 ${pick(['+0200', '-0530'])}] "${request} HTTP/1.1" ${answer}`;
    expect(FORMATS.combined.parse(`${line} "-"`, CONTEXT)).toEqual(FORMATS.combined.parse(line, CONTEXT));
  }
});

test('a deeply nested line is read', () => {
  const depth = 50_000;
  for (const line of [
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":${'['.repeat(depth)}${']'.repeat(depth)}}}`,
    `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x","data":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}}`,
    `{"status":200,"method":"GET","path":"/","request":${'{"request":'.repeat(depth)}1${'}'.repeat(depth)}}`,
  ]) {
    for (const format of formats) expect(() => format.parse(line, CONTEXT)).not.toThrow();
  }
});
