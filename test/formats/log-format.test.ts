import { describe as group, expect, it } from 'vitest';
import { describe, formatOf, readDefinitions } from '../../src/formats/log-format/index.ts';
import type { AccessRecord } from '../../src/record.ts';

const CONTEXT = { timeZone: 'UTC' };
const at = (iso: string) => Date.parse(iso) * 1000;

interface Case {
  format: string;
  line: string;
  expect: Partial<Omit<AccessRecord, 'signal'>> & { signal?: Partial<AccessRecord['signal']> };
}

const CASES: Record<string, Case> = {
  'nginx main': {
    format: `$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" "$http_x_forwarded_for"`,
    line: '192.0.2.1 - alice [12/Oct/2026:09:14:03 +0200] "POST /mcp?x=1 HTTP/1.1" 404 153 "-" "no\\x22de" "-"',
    expect: {
      ts: at('2026-10-12T07:14:03Z'),
      address: '192.0.2.1',
      http_method: 'POST',
      path: '/mcp',
      response_bytes: 153,
      user_agent: 'no"de',
      signal: { status: 404 },
    },
  },
  'nginx with upstreams and MCP headers': {
    format: `log_format mcp escape=default '$msec $remote_addr "$request_method $request_uri" $status $request_time '\n  '[$upstream_addr] $upstream_status "$http_mcp_method" "$http_mcp_name" $request_id';`,
    line: '1791789243.481 2001:db8::1 "POST /mcp" 200 2.012 [10.0.0.1:80, 10.0.0.2:80] 502, 200 "tools/call" "search" 6f1c',
    expect: {
      ts: 1_791_789_241_469_000,
      address: '2001:db8::1',
      path: '/mcp',
      duration_us: 2_012_000,
      attempts: 2,
      rpc_method: 'tools/call',
      rpc_name: 'search',
      correlation: '6f1c',
      signal: { status: 200 },
    },
  },
  'nginx as JSON, whatever the order of its keys': {
    format: '{"when":"$time_iso8601","who":"$remote_addr","asked":"$request","took":$request_time,"said":$status}',
    line: '{"said":405,"took":0.5,"asked":"GET /mcp HTTP/1.1","who":"192.0.2.1","when":"2026-10-12T07:14:03+00:00"}',
    expect: { address: '192.0.2.1', http_method: 'GET', path: '/mcp', duration_us: 500_000, signal: { status: 405 } },
  },
  'nginx with a URL put together': {
    format: '$remote_addr "$request_method $scheme://$host$uri$is_args$args" $status',
    line: '192.0.2.1 "GET https://mcp.example.com/mcp?a=b" 404',
    expect: { authority: 'mcp.example.com', path: '/mcp', http_method: 'GET', signal: { status: 404 } },
  },
  'Apache combined with microseconds': {
    format: String.raw`%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\" %D %{Mcp-Session-Id}i`,
    line: '192.0.2.1 - - [12/Oct/2026:09:14:03 +0200] "GET /a\\"b HTTP/1.1" 429 - "-" "curl/8" 1500 -',
    expect: {
      ts: at('2026-10-12T07:14:03Z'),
      path: '/a"b',
      duration_us: 1500,
      response_bytes: null,
      user_agent: 'curl/8',
      signal: { status: 429, has_session: 'no' },
    },
  },
  'Apache with a stamp of strftime, milliseconds and headers': {
    format: '%{%Y-%m-%dT%H:%M:%S%z}t %a %m %U%q %s %{ms}T "%{Retry-After}o" %v',
    line: '2026-10-12T09:14:03+0200 192.0.2.1 GET /mcp?a=b 429 12 "7" mcp.example.com',
    expect: {
      ts: at('2026-10-12T07:14:03Z'),
      http_method: 'GET',
      path: '/mcp',
      duration_us: 12_000,
      retry_after_ms: 7000,
      authority: 'mcp.example.com',
    },
  },
  'Envoy text': {
    format:
      '[%START_TIME%] "%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%" %RESPONSE_CODE% %RESPONSE_FLAGS% %DURATION% "%REQ(X-FORWARDED-FOR)%" "%REQ(USER-AGENT)%" "%REQ(MCP-METHOD):64%" %UPSTREAM_HOST%\\n',
    line: '[2026-11-03T07:30:01.250Z] "POST /mcp HTTP/2" 503 UF,URX 12 "198.51.100.7, 10.0.0.1" "node" "tools/call" 10.0.0.9:80',
    expect: {
      ts: at('2026-11-03T07:30:01.25Z'),
      http_method: 'POST',
      path: '/mcp',
      duration_us: 12_000,
      user_agent: 'node',
      rpc_method: 'tools/call',
      signal: { status: 503, marker: 'envoy_uf' },
    },
  },
  'Envoy JSON': {
    format:
      '{"code": "%RESPONSE_CODE%", "m": "%REQ(:METHOD)%", "p": "%REQ(:PATH)%", "flags": "%RESPONSE_FLAGS%", "t": "%START_TIME%"}',
    line: '{"t":"2026-11-03T07:30:01.250Z","m":"GET","p":"/x?y","code":404,"flags":"NR"}',
    expect: { http_method: 'GET', path: '/x', signal: { status: 404, marker: 'envoy_nr' } },
  },
  'HAProxy http with captures': {
    format: '%ci:%cp [%tr] %ft %b/%s %TR/%Tw/%Tc/%Tr/%Ta %ST %B %CC %CS %tsc %ac/%fc/%bc/%sc/%rc %sq/%bq %hr %hs %{+Q}r',
    line: '198.51.100.90:50211 [09/Nov/2026:11:22:33.104] fe be/srv2 0/0/1/45/46 404 231 - - ---- 1/1/0/0/0 0/0 {mcp.example.com|curl/8.0} "POST /mcp HTTP/1.1"',
    expect: {
      ts: at('2026-11-09T11:22:33.104Z'),
      address: '198.51.100.90',
      duration_us: 46_000,
      attempts: 1,
      user_agent: 'curl/8.0',
      http_method: 'POST',
      path: '/mcp',
      signal: { status: 404 },
    },
  },
  'HAProxy without the captures it speaks of': {
    format: String.raw`%ci\ [%tr]\ %ST\ %tsc\ %hr\ %HM\ %HP\ %Ta`,
    line: '198.51.100.90 [09/Nov/2026:11:22:33.104] 503 sH-- GET /mcp 46',
    expect: { http_method: 'GET', path: '/mcp', duration_us: 46_000, signal: { status: 503, marker: 'haproxy_sH' } },
  },
  'GoAccess combined': {
    format: '%h %^[%d:%t %^] "%r" %s %b "%R" "%u"',
    line: '192.0.2.1 - - [12/Oct/2026:09:14:03 +0200] "GET /mcp HTTP/1.1" 404 153 "-" "node"',
    expect: { ts: at('2026-10-12T07:14:03Z'), address: '192.0.2.1', path: '/mcp', user_agent: 'node', signal: { status: 404 } },
  },
  'GoAccess with tabs, apart dates and milliseconds': {
    format: String.raw`%d\t%t\t%h\t%m\t%U\t%s\t%L`,
    line: '2026-10-12\t07:14:03\t192.0.2.1\tPOST\t/mcp\t404\t12',
    expect: { ts: at('2026-10-12T07:14:03Z'), http_method: 'POST', duration_us: 12_000 },
  },
};

group('a description of a log format', () => {
  it.each(Object.entries(CASES))('is read: %s', (_, { format, line, expect: wanted }) => {
    const made = describe(format);
    expect(made?.unknown).toEqual([]);
    const parsed = formatOf(format).parse(line, CONTEXT);
    expect(parsed).toMatchObject({ records: [wanted] });
  });

  it.each(Object.entries(CASES))('leaves lines of others alone, and tells cut ones: %s', (_, { format, line }) => {
    const { parse } = formatOf(format);
    for (const other of ['', 'It was a dark night.', '{"a":1}', '- - -']) expect(parse(other, CONTEXT), other).toBe('foreign');
    for (let size = 0; size < line.length; size++) expect(() => parse(line.slice(0, size), CONTEXT)).not.toThrow();
    const cut = parse(line.slice(0, Math.floor(line.length * 0.9)), CONTEXT);
    expect(typeof cut === 'object' || cut === 'foreign').toBe(true);
  });

  it('skips fields that nobody knows, and says so', () => {
    expect(describe('$remote_addr $my_own "$request" $status')?.unknown).toEqual(['$my_own']);
    expect(describe('%h %Z \\"%r\\" %>s')?.unknown).toEqual(['%Z']);
    expect(describe('%START_TIME% %NONSENSE% "%REQ(:METHOD)% %REQ(:PATH)%" %RESPONSE_CODE%')?.unknown).toEqual(['%NONSENSE%']);
    expect(describe('$request_time "$request" $status $http_referer')?.unknown).toEqual([]);
  });

  it.each([
    ['$remote_addr$status "$request"', 'two fields without text between them: $remote_addr and $status', 12],
    ['$remote_addr $request $status', 'a field that may hold blanks, ended by a blank: $request', 13],
    ['$remote_addr $ $status', 'a variable without a name', 13],
    ['%h %t %>s', 'log format without a request', 0],
    ['%ci [%tr] %ST %Q %r', 'a variable that HAProxy does not have', 14],
    ['[%START_TIME%] "%REQ(:METHOD)%" %RESPONSE_CODE', 'an operator that does not end', 32],
  ])('that cannot be read back is explained, with a mark under the spot: %s', (format, message, column) => {
    let caught: unknown;
    try {
      describe(format);
    } catch (error) {
      caught = error;
    }
    expect(caught).toMatchObject({ code: 'usage', message });
    const { detail } = caught as { detail: { at: string } };
    expect(detail.at.split('\n')[1]?.indexOf('^')).toBe(column + 2);
    expect(detail.at.split('\n')[0]).toBe(format);
  });

  it('is none if it has no variables', () => {
    expect(describe('ngnix')).toBeUndefined();
  });

  it('takes no longer on hostile lines', () => {
    for (const { format } of Object.values(CASES)) {
      const { parse } = formatOf(format);
      for (const piece of ['"', '\\', ' ', ', ', ' : ', '[', '" "', '192.0.2.1 - - [12/Oct/2026:09:14:03 +0200] "']) {
        const started = process.cpuUsage();
        parse(piece.repeat(100_000 / piece.length), CONTEXT);
        expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
      }
    }
  });
});

group('definitions', () => {
  it('are found in the files of nginx, Apache, HAProxy, Envoy and GoAccess', () => {
    const nginx = `http {\n  # log_format old '$request';\n  log_format main '$remote_addr "$request" '\n                  '$status';\n  log_format json escape=json '{"s":"$status"}';\n}`;
    expect(readDefinitions(nginx).map(({ name }) => name)).toEqual(['main', 'json']);
    const [main] = readDefinitions(nginx);
    expect(formatOf(main?.text ?? '').parse('192.0.2.1 "GET / HTTP/1.1" 404', CONTEXT)).toMatchObject({
      records: [{ path: '/' }],
    });
    expect(
      readDefinitions(`LogFormat "%h \\"%r\\" %>s" short\nCustomLog logs/a.log "%h %r"\nCustomLog logs/b.log short`),
    ).toEqual([
      { name: 'short', text: String.raw`%h \"%r\" %>s` },
      { name: '', text: '%h %r' },
    ]);
    expect(readDefinitions(String.raw`  log-format %ci\ %ST\ %r`)).toEqual([{ name: '', text: String.raw`%ci\ %ST\ %r` }]);
    expect(readDefinitions(`time-format %T\nlog-format %h %^[%d:%t %^] "%r" %s`)).toEqual([
      { name: '', text: '%h %^[%d:%t %^] "%r" %s' },
    ]);
    expect(readDefinitions(`    inline_string: "[%START_TIME%] %RESPONSE_CODE%\\n"\n    format: json`)).toEqual([
      { name: '', text: String.raw`[%START_TIME%] %RESPONSE_CODE%\n` },
    ]);
  });
});
