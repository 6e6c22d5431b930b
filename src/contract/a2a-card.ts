// A2A agent cards: 0.2 and 0.3 name one URL and additional interfaces, 1.0 lists supported interfaces.
import { isObject, joinPaths, objectsIn, splitUrl, type DeclaredPath, type DocumentKind, type Json } from './document.ts';

/** Paths of the HTTP+JSON binding below its URL (A2A 1.0 section 11; 0.3 puts `/v1` before them). */
const REST_PATHS = [
  '/message:send',
  '/message:stream',
  '/tasks',
  '/tasks/{id}',
  '/tasks/{id}:cancel',
  '/tasks/{id}:subscribe',
  '/tasks/{id}/pushNotificationConfigs',
  '/tasks/{id}/pushNotificationConfigs/{config}',
];
const GRPC_PATH = '/{package}.A2AService/{method}';

export const a2aCard: DocumentKind = {
  title: 'A2A agent card',
  maybeRead(document) {
    if (Array.isArray(document['supportedInterfaces'])) return { title: 'A2A agent card 1.0', paths: currentPaths(document) };
    if (typeof document['url'] !== 'string' || !(Array.isArray(document['skills']) || isObject(document['capabilities'])))
      return undefined;
    const version = typeof document['protocolVersion'] === 'string' ? '0.3' : '0.2';
    return { title: `A2A agent card ${version}`, paths: earlierPaths(document) };
  },
};

function currentPaths(card: Json): DeclaredPath[] {
  return objectsIn(card['supportedInterfaces']).flatMap(({ url, protocolBinding, tenant }) => {
    const tenants = typeof tenant === 'string' && tenant !== '' ? ['', `/${tenant}`] : [''];
    const rest = tenants.flatMap((prefix) => [...REST_PATHS, '/extendedAgentCard'].map((path) => prefix + path));
    return interfacePaths(url, protocolBinding, rest);
  });
}

function earlierPaths(card: Json): DeclaredPath[] {
  const rest = [...REST_PATHS, '/card'].map((path) => `/v1${path}`);
  return [
    ...interfacePaths(card['url'], card['preferredTransport'] ?? 'JSONRPC', rest),
    ...objectsIn(card['additionalInterfaces']).flatMap(({ url, transport }) => interfacePaths(url, transport, rest)),
  ];
}

/** A card speaks of paths, never of methods. */
function interfacePaths(url: unknown, binding: unknown, rest: readonly string[]): DeclaredPath[] {
  if (typeof url !== 'string') return [];
  const { authority, path } = splitUrl(url);
  const below = binding === 'HTTP+JSON' ? rest.map((each) => joinPaths(path, each)) : [];
  const paths = binding === 'GRPC' ? [GRPC_PATH] : [path, ...below];
  return paths.map((each) => ({ authority, path: each, methods: null, protocol: 'a2a' }));
}
