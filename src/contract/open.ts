// The contract: what documents and the user declare, what the log shows where they are silent, and every target judged by both.
import { UsageError } from '../errors.ts';
import type { Declared, LineTarget, Target } from '../record.ts';
import type { Contract, ContractOptions, Observation } from './contract.ts';
import { splitUrl, type Declaration, type DeclaredPath } from './document.ts';
import { loadDocument } from './load.ts';
import { openMatcher, type Hit } from './match.ts';
import { isPlace, isScannerPath, liftOf, maybeProtocolOf, probeOf, type Probe } from './probes.ts';
import {
  isAgentMethod,
  isContextMethod,
  isNamedLikeEndpoint,
  isProtocolShaped,
  lastSegment,
  maybeGate,
  tokensOf,
} from './protocols.ts';
import { readSightings, type Sightings } from './sightings.ts';

/** Returns the contract. Documents are read first, so that a wrong one is told before the log is walked. */
export async function openContract(
  options: ContractOptions,
  observed: AsyncIterable<Observation> | Iterable<Observation>,
): Promise<Contract> {
  const named = options.endpoints.map(parseEndpoint);
  const declarations = await Promise.all(options.documents.map(loadDocument));
  const listed = declarations.flatMap(({ paths }) => paths ?? []);
  const sightings = await readSightings(observed, { byMethod: listed.some(({ methods }) => methods !== null) });
  return {
    source: declarations.length > 0 ? 'documents' : options.infer ? 'inferred' : 'none',
    documents: declarations.map(({ title }, index) => `${options.documents[index]?.name} (${title})`),
    describe: openDescriber({ declarations, listed, named, infer: options.infer }, sightings),
  };
}

interface Judgement {
  declared: Declared;
  declared_by: Target['declared_by'];
  is_template: boolean;
}

const UNKNOWN: Judgement = { declared: 'unknown', declared_by: 'none', is_template: false };
const BY_DOCUMENT: Judgement = { declared: 'declared', declared_by: 'document', is_template: false };
const NOT_LISTED: Judgement = { declared: 'undeclared', declared_by: 'document', is_template: false };
const BY_ANSWER: Judgement = { declared: 'declared', declared_by: 'inferred', is_template: false };
const NEVER_ANSWERED: Judgement = { declared: 'undeclared', declared_by: 'inferred', is_template: false };

interface Sources {
  declarations: readonly Declaration[];
  /** Paths of the documents. */
  listed: readonly DeclaredPath[];
  /** Endpoints that the user names. */
  named: readonly DeclaredPath[];
  infer: boolean;
}

function openDescriber({ declarations, listed, named, infer }: Sources, seen: Sightings): Contract['describe'] {
  const find = openMatcher([...named, ...listed]);
  const tokens = new Set(listed.flatMap(({ path }) => tokensOf(path.replace(/\{[^{}]*\}/g, '/'))));
  const tools = new Set(declarations.flatMap((each) => each.tools ?? []));
  const told = declarations.flatMap(({ capabilities }) => (capabilities === undefined ? [] : [capabilities]));
  const capabilities = told.length === 0 ? undefined : new Set(told.flat());
  const judgesPaths = listed.length > 0 || infer || declarations.length > 0;

  function judgePath(target: LineTarget, hits: readonly Hit[]): Judgement {
    if (target.path === null) return UNKNOWN;
    const fit = hits.find(({ methods }) => methods === null || methods.includes(target.http_method ?? ''));
    if (fit !== undefined) return { ...BY_DOCUMENT, is_template: fit.is_template };
    if (hits.length > 0) return seen.isOperationAnswered(target) ? BY_ANSWER : NOT_LISTED;
    if (!judgesPaths) return UNKNOWN;
    const template = seen.isTemplateAnswered(target);
    if (template === 'yes') return { ...BY_ANSWER, is_template: true };
    if (seen.isPathAnswered(target)) return BY_ANSWER;
    if (template === 'unknown') return UNKNOWN;
    if (listed.length > 0) return NOT_LISTED;
    return seen.isAuthorityAnswering(target) ? NEVER_ANSWERED : UNKNOWN;
  }

  /** An MCP method whose capability no server advertises is not offered, unless someone got an answer to it. */
  function judgeMethod({ rpc_method }: LineTarget, protocol: Target['protocol'], path: Judgement): Judgement {
    if (capabilities === undefined || rpc_method === null || protocol !== 'mcp' || path.declared === 'undeclared') return path;
    const gate = maybeGate(rpc_method);
    return gate === undefined || capabilities.has(gate) || seen.isMethodAnswered(rpc_method) ? path : NOT_LISTED;
  }

  function isAgent({ path, rpc_method, ...rest }: LineTarget, hits: readonly Hit[]): boolean {
    if (rpc_method !== null && isAgentMethod(rpc_method)) return true;
    if (path === null || isContextMethod(rpc_method)) return false;
    const stated = hits[0]?.protocol;
    if (stated !== undefined) return stated === 'a2a';
    return lastSegment(path) === 'a2a' || seen.isAgentSeen({ path, rpc_method, ...rest });
  }

  function isEndpoint(target: LineTarget, hits: readonly Hit[]): boolean {
    if (target.rpc_method !== null || hits[0]?.protocol === 'mcp') return true;
    if (target.path === null) return false;
    return seen.isRpcSeen(target) || (hits.length === 0 && isNamedLikeEndpoint(target.path));
  }

  /** Not the endpoint that a client could have been given: the documents name others, or another one answers. */
  function isStray(target: LineTarget, { declared, declared_by }: Judgement): boolean {
    return declared === 'undeclared' && (declared_by === 'document' || seen.isEndpointAnswering(target));
  }

  return (target) => {
    const { authority, http_method, path } = target;
    const hits = path === null ? [] : find(path).filter((hit) => agree(hit.authority, authority));
    const isAgentTarget = isAgent(target, hits);
    const endpoint = !isAgentTarget && isEndpoint(target, hits) ? endpointOf(target) : null;
    const byPath = judgePath(target, hits);
    const probe = probeOf(target, endpoint !== null, isStray(target, byPath));
    const protocol = protocolOf(target, isAgentTarget, endpoint, probe);
    const isScanner = path !== null && byPath.declared !== 'declared' && isScannerPath(path);
    return {
      authority,
      http_method,
      path,
      rpc_method: target.rpc_method,
      rpc_name: target.rpc_name,
      protocol,
      ...judgeMethod(target, protocol, byPath),
      is_tool_declared: target.rpc_method === 'tools/call' && target.rpc_name !== null && tools.has(target.rpc_name),
      endpoint,
      ...probe,
      gives: liftOf(target, probe),
      is_protocol_shaped:
        path !== null &&
        byPath.declared !== 'declared' &&
        !isScanner &&
        !isPlace(probe.probe_role) &&
        isProtocolShaped(path, tokens),
      is_scanner: isScanner,
    };
  };
}

function parseEndpoint(text: string): DeclaredPath {
  if (text.includes('/')) return { ...splitUrl(text), methods: null, protocol: 'mcp' };
  throw new UsageError(`endpoint without a path: ${JSON.stringify(text)}`, {
    help: 'name a path (/mcp), or a host and a path (mcp.example.com/mcp)',
  });
}

function agree(a: string | null, b: string | null): boolean {
  return a === null || b === null || a === b;
}

/** Over stdio there is no path: all calls go to one endpoint. */
function endpointOf({ authority, path }: LineTarget): string {
  const place = path === null ? 'stdio' : path.replace(/(?<=.)\/$/, '');
  return authority === null ? place : `${authority} ${place}`;
}

function protocolOf({ http_method }: LineTarget, isAgent: boolean, endpoint: string | null, probe: Probe): Target['protocol'] {
  const stated = maybeProtocolOf(probe);
  if (stated !== undefined) return stated;
  if (isAgent) return 'a2a';
  if (endpoint !== null) return 'mcp';
  return http_method === null ? 'unknown' : 'http';
}
