// What would make a log more telling, in the words of the server that writes it.
import type { AccessRecord } from '../record.ts';
import type { Format } from './format.ts';

/** Facts on which findings rest, the more telling first, and what a report cannot say without them. */
export const FACTS = {
  rpc_method: 'which MCP or A2A method was called, so that refusals of methods are told from those of paths',
  rpc_name: 'which tool was called',
  session: 'the MCP session, so that dead sessions are told from missing routes',
  user_agent: 'which program asked, so that clients behind one address are told apart',
  address: 'who asked',
  ts: 'when it was asked, so that storms and retries can be found at all',
  duration_us: 'how long it took, so that retries are told from requests under way',
  authority: 'the host that was asked',
  attempts: "the gateway's own retries, so that they are not taken for the client's",
  correlation: 'an id that joins lines of one request',
} as const satisfies Partial<Record<keyof AccessRecord, string>>;
export type Fact = keyof typeof FACTS;

const NGINX: Readonly<Partial<Record<Fact, string>>> = {
  rpc_method: '$http_mcp_method',
  rpc_name: '$http_mcp_name',
  session: '$http_mcp_session_id',
  user_agent: '$http_user_agent',
  address: '$remote_addr',
  ts: '$time_iso8601',
  duration_us: '$request_time',
  authority: '$host',
  attempts: '$upstream_status',
  correlation: '$request_id',
};
const APACHE: typeof NGINX = {
  rpc_method: '%{Mcp-Method}i',
  rpc_name: '%{Mcp-Name}i',
  session: '%{Mcp-Session-Id}i',
  user_agent: '%{User-Agent}i',
  address: '%a',
  ts: '%t',
  duration_us: '%D',
  authority: '%V',
  correlation: '%{UNIQUE_ID}e',
};
const ENVOY: typeof NGINX = {
  rpc_method: '%REQ(MCP-METHOD)%',
  rpc_name: '%REQ(MCP-NAME)%',
  session: '%REQ(MCP-SESSION-ID)%',
  user_agent: '%REQ(USER-AGENT)%',
  address: '%DOWNSTREAM_REMOTE_ADDRESS%',
  duration_us: '%DURATION%',
  authority: '%REQ(:AUTHORITY)%',
  attempts: '%UPSTREAM_REQUEST_ATTEMPT_COUNT%',
  correlation: '%REQ(X-REQUEST-ID)%',
};
const HAPROXY: typeof NGINX = {
  rpc_method: 'capture request header Mcp-Method len 64',
  rpc_name: 'capture request header Mcp-Name len 64',
  session: '%[req.hdr(Mcp-Session-Id)]',
  user_agent: 'capture request header User-Agent len 128',
  authority: 'capture request header Host len 128',
  correlation: '%ID',
};
const TRAEFIK: typeof NGINX = {
  rpc_method: 'accessLog.fields.headers.names.Mcp-Method=keep',
  rpc_name: 'accessLog.fields.headers.names.Mcp-Name=keep',
  session: 'accessLog.fields.headers.names.Mcp-Session-Id=keep',
  user_agent: 'accessLog.fields.headers.names.User-Agent=keep',
};
const UVICORN: typeof NGINX = {
  ts: 'a formatter with %(asctime)s',
};

const WORDS: Readonly<Partial<Record<Format['name'], typeof NGINX>>> = {
  combined: NGINX,
  json: NGINX,
  'ingress-nginx': NGINX,
  'nginx-proxy-manager': NGINX,
  apisix: NGINX,
  'nginx-log-format': NGINX,
  tomcat: APACHE,
  'apache-log-format': APACHE,
  envoy: ENVOY,
  istio: ENVOY,
  'envoy-log-format': ENVOY,
  haproxy: HAPROXY,
  'haproxy-log-format': HAPROXY,
  traefik: TRAEFIK,
  uvicorn: UVICORN,
};

export interface Advice {
  fact: Fact;
  /** What to add to the server's configuration; undefined where that server has no word for it. */
  add: string | undefined;
  why: string;
}

/** Returns what some records lack. */
export function adviceFor(format: Format | undefined, records: readonly AccessRecord[]): Advice[] {
  const words = format === undefined ? undefined : WORDS[format.name];
  return (Object.keys(FACTS) as Fact[])
    .filter((fact) => records.length > 0 && records.every((record) => isLacking(record, fact)))
    .map((fact) => ({ fact, add: words?.[fact], why: FACTS[fact] }));
}

/** A session header that is logged and empty is not lacking. */
function isLacking(record: AccessRecord, fact: Fact): boolean {
  return record[fact] === null && !(fact === 'session' && record.signal.has_session !== 'unknown');
}
