// Istio's access log: Envoy's, with why it ended before the sizes and who talked to whom behind them; or JSON with underscores.
import type { AccessRecord } from '../record.ts';
import { parseAddress } from './address.ts';
import { isIstio, readEnvoyHead, readEnvoyObject, readEnvoyTail } from './envoy.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { objectParser, textOf } from './json-text.ts';

/** Response details, termination details and the transport's failure; before Istio 1.9 two quoted fields. */
const DETAILS = /^(?:\S+ \S+ "[^"]*"|"[^"]*" "[^"]*") (?=[\d-])/;

/** Shorter ids may be counters. */
const LEAST_ID = 16;

const parseJson = objectParser('"upstream_cluster"', isIstio, (object) => {
  const parsed = readEnvoyObject(object);
  if (typeof parsed === 'object' && 'records' in parsed)
    for (const record of parsed.records) readSide(record, textOf(object['upstream_cluster']));
  return parsed;
});

/** Cluster, upstream local, downstream local, downstream remote; then server name and route. */
const REMOTE = /^ \S+ \S+ \S+ (\S+)/;

function parse(line: string, context: ParseContext): Parsed {
  if (line.charCodeAt(0) === 123) return parseJson(line, context);
  const head = readEnvoyHead(line);
  if (head === undefined || head === null) return 'foreign';
  const { record, rest } = head;
  const details = DETAILS.exec(rest);
  if (details === null) return /^[a-z_]+[ {]/.test(rest) ? { reject: 'truncated' } : 'foreign';
  const behind = readEnvoyTail(record, rest.slice(details[0].length));
  if (behind === null) return { reject: 'truncated' };
  const remote = REMOTE.exec(behind)?.[1];
  if (remote !== undefined) record.address = parseAddress(remote) ?? record.address;
  readSide(record, behind.trimStart());
  return { records: [record] };
}

/**
 * The proxy in front of the server tells what the one of the client has told. Requests that this one led to bear its id, too, but ask
 * for something else.
 */
function readSide(record: AccessRecord, cluster: string): void {
  const { correlation, http_method, authority, path } = record;
  if (correlation === null || correlation.length < LEAST_ID) return;
  record.request_key = [correlation, http_method, authority, path].join(' ');
  if (cluster.startsWith('inbound|')) record.is_upstream = true;
}

export const istio: Format = {
  name: 'istio',
  title: 'Istio access log, text and JSON',
  spec: 'https://istio.io/latest/docs/tasks/observability/logs/access-log/',
  time: 'start',
  parse,
  samples: [
    {
      line: '[2026-11-03T07:30:00.101Z] "POST /mcp HTTP/1.1" 200 - via_upstream - "-" 166 1021 48 47 "192.0.2.60" "claude-code/2.0.1" "7a5e1c90-0000-9000-8000-000000000001" "mcp.example.com" "10.8.1.12:8000" inbound|8000|| 127.0.0.6:38001 10.8.1.12:8000 [2001:db8::60]:0 outbound_.8000_._.mcp.tools.svc.cluster.local default',
      expect: {
        ts: 1_793_691_000_101_000,
        duration_us: 48_000,
        address: '2001:db8::60',
        user_agent: 'claude-code/2.0.1',
        authority: 'mcp.example.com',
        path: '/mcp',
        request_bytes: 166,
        response_bytes: 1021,
        attempts: null,
        correlation: '7a5e1c90-0000-9000-8000-000000000001',
        signal: { status: 200, marker: null },
      },
    },
    {
      line: '[2026-11-03T07:30:02.900Z] "POST /mcp HTTP/1.1" 503 UF upstream_reset_before_response_started{connection_failure,delayed_connect_error:_111} - "delayed connect error: 111" 166 95 2 - "-" "node" "7a5e1c90-0000-9000-8000-000000000002" "mcp.example.com" "10.8.1.12:8000" outbound|8000||mcp.tools.svc.cluster.local - 10.96.4.4:8000 10.8.0.3:44321 - default',
      expect: { address: '10.8.0.3', signal: { status: 503, marker: 'envoy_uf' } },
    },
    {
      line: '[2026-11-03T07:30:03.900Z] "GET /mcp HTTP/1.1" 404 NR "-" "-" 0 0 1 - "192.0.2.60" "node" "7a5e1c90-0000-9000-8000-000000000003" "mcp.example.com" "-" - - 10.96.4.4:8000 10.8.0.3:44321 - -',
      expect: { address: '10.8.0.3', attempts: 0, signal: { status: 404, marker: 'envoy_nr' } },
    },
    {
      line: '[2026-11-03T07:30:04.900Z] "- - -" 0 - - - "-" 2279 3059 63 - "-" "-" "-" "-" "10.96.4.5:443" PassthroughCluster 10.8.0.3:37018 10.96.4.5:443 10.8.0.3:39849 - -',
      expect: { http_method: null, signal: { status: null, marker: 'no_answer' } },
    },
    {
      line: '{"authority":"mcp.example.com","bytes_received":0,"bytes_sent":358,"connection_termination_details":null,"downstream_local_address":"10.8.1.12:8000","downstream_remote_address":"[2001:db8::60]:5000","duration":15,"method":"GET","path":"/mcp","protocol":"HTTP/1.1","request_id":"7a5e1c90-0000-9000-8000-000000000004","requested_server_name":"outbound_.8000_._.mcp.tools.svc.cluster.local","response_code":405,"response_code_details":"via_upstream","response_flags":"-","route_name":"default","start_time":"2026-11-03T07:30:05.656Z","upstream_cluster":"inbound|8000||","upstream_host":"10.8.1.12:8000","upstream_local_address":"127.0.0.6:37685","upstream_service_time":"14","upstream_transport_failure_reason":null,"user_agent":"node","x_forwarded_for":null}',
      expect: {
        ts: 1_793_691_005_656_000,
        address: '2001:db8::60',
        user_agent: 'node',
        authority: 'mcp.example.com',
        path: '/mcp',
        response_bytes: 358,
        correlation: '7a5e1c90-0000-9000-8000-000000000004',
        signal: { status: 405, marker: null },
      },
    },
    {
      line: '[2026-11-03T07:30:00.101Z] "POST /mcp HTTP/1.1" 200 - via_upstream - "-" 166 1021 48 47 "192.0.2.60" "claude',
      expect: { reject: 'truncated' },
    },
  ],
};
