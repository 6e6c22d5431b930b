// Places and calls that clients try because a specification or a framework says so (P1 to P16), and paths that only scanners try.
import type { LineTarget, Lift, ProbeRole, Target } from '../record.ts';
import { lastSegment } from './protocols.ts';

export interface Probe {
  probe_role: ProbeRole;
  probe_step: number;
}

const NONE: Probe = { probe_role: 'none', probe_step: 0 };

/** RPC methods with a role, each with its place in the order of its family. */
const METHODS: ReadonlyMap<string, Probe> = new Map([
  ['server/discover', { probe_role: 'discover', probe_step: 0 }],
  ['initialize', { probe_role: 'initialize', probe_step: 1 }],
  ['agent/getAuthenticatedExtendedCard', { probe_role: 'card', probe_step: 2 }],
  ['agent/authenticatedExtendedCard', { probe_role: 'card', probe_step: 2 }],
  ['GetExtendedAgentCard', { probe_role: 'card', probe_step: 4 }],
  ...['tasks/get', 'tasks/result', 'tasks/resubscribe', 'subscriptions/listen', 'GetTask', 'SubscribeToTask'].map(
    (method): [string, Probe] => [method, { probe_role: 'poll', probe_step: 0 }],
  ),
]);

const NOISE: Probe = { probe_role: 'noise', probe_step: 0 };
const STREAM: Probe = { probe_role: 'stream', probe_step: 2 };
const CLOSE: Probe = { probe_role: 'close', probe_step: 3 };

const NOISE_FILES =
  /^\/(?:favicon\.(?:ico|svg|png)|apple-touch-icon(?:-\d+x\d+)?(?:-precomposed)?\.png|robots\.txt|sitemap\.xml|manifest\.json|site\.webmanifest|browserconfig\.xml|ads\.txt|llms\.txt|security\.txt)$/;
const NOISE_WELL_KNOWN =
  /^\/\.well-known\/(?:appspecific\/|acme-challenge\/|security\.txt$|change-password$|apple-app-site-association$|assetlinks\.json$|gpc\.json$|traffic-advice$|passkey-endpoints$|webfinger$|nodeinfo$|resource-that-should-not-exist-whose-status-code-should-not-be-200$)/;
const HEALTH = /^\/(?:health|healthz|livez|readyz|ping|status|up|actuator\/health|health\/(?:live|ready))\/?$/;

/** Documents sought with GET, in the order in which their families are tried; the first pattern that fits counts. */
const DOCUMENTS: readonly [RegExp, ProbeRole, number][] = [
  [/^\/\.well-known\/oauth-protected-resource\/./, 'resource_metadata', 1],
  [/^\/\.well-known\/oauth-protected-resource$/, 'resource_metadata', 2],
  [/^\/\.well-known\/oauth-authorization-server\/./, 'server_metadata', 0],
  [/^\/\.well-known\/openid-configuration\/./, 'server_metadata', 1],
  [/^\/.+\/\.well-known\/openid-configuration$/, 'server_metadata', 2],
  [/^\/\.well-known\/oauth-authorization-server$/, 'server_metadata', 3],
  [/^\/\.well-known\/openid-configuration$/, 'server_metadata', 4],
  [/\/\.well-known\/agent-card\.json$/, 'card', 0],
  [/\/\.well-known\/agent\.json$/, 'card', 1],
  [/\/agent\/authenticatedExtendedCard$/, 'card', 2],
  [/\/v1\/card$/, 'card', 3],
  [/\/extendedAgentCard$/, 'card', 4],
  [/^\/\.well-known\/ai-catalog\.json$/, 'server_card', 0],
  [/^\/\.well-known\/mcp\/server-card\.json$/, 'server_card', 2],
  [/^\/\.well-known\/mcp\/server-card$/, 'server_card', 3],
  [/^\/\.well-known\/mcp-server-card(?:\/|$)/, 'server_card', 4],
  [/^\/\.well-known\/mcp\/catalog\.json$/, 'server_card', 5],
  [/^\/\.well-known\/mcp\.json$/, 'server_card', 6],
  [/^\/\.well-known\/mcp-registry-auth$/, 'server_card', 7],
  [/.\/server-card$/, 'server_card', 1],
  [/\/openapi\.json$/, 'openapi', 0],
  [/\/openapi\.ya?ml$/, 'openapi', 1],
  [/^\/docs\/?$/, 'openapi', 2],
  [/^\/redoc\/?$/, 'openapi', 3],
  [/\/v3\/api-docs$/, 'openapi', 4],
  [/\/v2\/api-docs$/, 'openapi', 5],
  [/\/swagger\.json$/, 'openapi', 6],
  [/\/openapi\/v1\.json$/, 'openapi', 7],
  [/^\/\.well-known\/api-catalog$/, 'openapi', 8],
];

/** What every one of these paths holds: most paths of a log are told apart by this alone. */
const DOCUMENT_WORDS = /well-known|card|openapi|docs|redoc|swagger/i;

const AUTHORIZE: Probe = { probe_role: 'oauth_default', probe_step: 0 };
const TOKEN: Probe = { probe_role: 'oauth_default', probe_step: 1 };

/** The steps of connecting to an MCP endpoint. */
const CONNECTING: ReadonlySet<ProbeRole> = new Set<ProbeRole>(['discover', 'initialize', 'stream', 'close']);

/**
 * Returns the role that a target plays in the sequences that clients are free to try. Nobody is free to connect at a stray place:
 * those sequences hold for the endpoint that the client was given, not for every URL it can think of.
 */
export function probeOf(target: LineTarget, isEndpoint: boolean, isStray: boolean): Probe {
  const probe = usualProbe(target, isEndpoint);
  return isStray && CONNECTING.has(probe.probe_role) ? NONE : probe;
}

function usualProbe({ http_method, path, rpc_method }: LineTarget, isEndpoint: boolean): Probe {
  if (http_method === 'OPTIONS') return NOISE;
  if (rpc_method !== null) return METHODS.get(rpc_method) ?? NONE;
  if (path === null) return NONE;
  if (isEndpoint && http_method === 'GET') return STREAM;
  if (isEndpoint && http_method === 'DELETE') return CLOSE;
  if (path === '/register' && http_method === 'POST') return { probe_role: 'register', probe_step: 0 };
  if (path === '/authorize') return AUTHORIZE;
  if (path === '/token') return TOKEN;
  return http_method === 'GET' || http_method === 'HEAD' ? documentProbe(path) : NONE;
}

function documentProbe(path: string): Probe {
  if (NOISE_FILES.test(path) || NOISE_WELL_KNOWN.test(path)) return NOISE;
  if (HEALTH.test(path)) return { probe_role: 'health', probe_step: 0 };
  if (DOCUMENT_WORDS.test(path)) {
    for (const [pattern, probe_role, probe_step] of DOCUMENTS) if (pattern.test(path)) return { probe_role, probe_step };
  }
  return /\/tasks\/[^/:]+(?::subscribe)?$/.test(path) ? { probe_role: 'poll', probe_step: 0 } : NONE;
}

/** Roles that are places of their own: asking there is never a guess. */
const PLACES: ReadonlySet<ProbeRole> = new Set<ProbeRole>([
  'resource_metadata',
  'server_metadata',
  'oauth_default',
  'register',
  'card',
  'server_card',
  'openapi',
  'noise',
  'health',
]);

/** Returns whether a role stands for a reserved or customary place. */
export function isPlace(role: ProbeRole): boolean {
  return PLACES.has(role);
}

/** Returns the lift that a good answer of a target gives to memories of refusals. Without an RPC method no POST is a read. */
export function liftOf({ http_method, path, rpc_method }: LineTarget, { probe_role }: Probe): Lift {
  if (rpc_method === 'initialize') return 'handshake';
  if (rpc_method === 'server/discover' || rpc_method === 'tools/list') return 'rpc_read';
  if (probe_role === 'card' || probe_role === 'server_card' || probe_role === 'openapi') return 'document_read';
  return http_method === 'POST' && path !== null && lastSegment(path) === 'token' ? 'token' : 'none';
}

/** Returns the protocol that a role belongs to, if it says so. */
export function maybeProtocolOf({ probe_role }: Probe): Target['protocol'] | undefined {
  switch (probe_role) {
    case 'resource_metadata':
    case 'server_metadata':
    case 'oauth_default':
    case 'register':
      return 'oauth';
    case 'card':
      return 'a2a';
    case 'server_card':
      return 'mcp';
    default:
      return undefined;
  }
}

const SCANNED =
  /^\/(?:wp-|wordpress|xmlrpc|phpmyadmin|pma\/|myadmin|cgi-bin\/|vendor\/phpunit|actuator\/|solr\/|manager\/html|owa\/|autodiscover|geoserver|hnap1|boaform|_ignition|server-status|jenkins|struts|console\/|telescope|debug\/|etc\/passwd)|\/\.(?:env|git|svn|hg|aws|ssh|docker|vscode|ds_store|htaccess|htpasswd|npmrc)|\.(?:php\d?|aspx?|jsp|cgi|bak|sql|old|swp)$|\.\.\/|%2e%2e/i;

/** Returns whether a path is one that only searches for foreign software ask for. */
export function isScannerPath(path: string): boolean {
  return SCANNED.test(path) && !HEALTH.test(path);
}
