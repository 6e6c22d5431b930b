// OpenAPI 3 and Swagger 2: methods and path templates below one or more servers.
import { isObject, joinPaths, objectsIn, splitUrl, type DeclaredPath, type DocumentKind, type Json } from './document.ts';
import { fillIn } from './mcp-server-card.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export const openapi: DocumentKind = {
  title: 'OpenAPI 3 or Swagger 2 document',
  maybeRead(document) {
    if (typeof document['openapi'] === 'string') {
      return { title: `OpenAPI ${document['openapi']}`, paths: declaredPaths(document, serverUrls(document) ?? ['/']) };
    }
    if (document['swagger'] === undefined || !isObject(document['paths'])) return undefined;
    const { host, basePath } = document;
    const base = `${typeof host === 'string' ? `//${host}` : ''}${typeof basePath === 'string' ? joinPaths('', basePath) : '/'}`;
    return { title: `Swagger ${String(document['swagger'])}`, paths: declaredPaths(document, [base]) };
  },
};

function declaredPaths(document: Json, servers: readonly string[]): DeclaredPath[] {
  const paths = isObject(document['paths']) ? document['paths'] : {};
  return Object.entries(paths).flatMap(([path, item]) => {
    if (!isObject(item)) return [];
    const own = serverUrls(item) ?? servers;
    const operations = METHODS.filter((method) => isObject(item[method]));
    // A path item that only refers elsewhere hides its methods.
    if (operations.length === 0) return item['$ref'] === undefined ? [] : below(own, path, null);
    return operations.flatMap((method) => below(serverUrls(item[method] as Json) ?? own, path, methodsOf(method)));
  });
}

function below(servers: readonly string[], path: string, methods: DeclaredPath['methods']): DeclaredPath[] {
  return servers.map((url) => {
    const { authority, path: base } = splitUrl(url);
    return { authority, path: joinPaths(base, path), methods, protocol: 'http' };
  });
}

/** Whatever answers GET answers HEAD (RFC 9110 9.3.2). */
function methodsOf(operation: string): string[] {
  return operation === 'get' ? ['GET', 'HEAD'] : [operation.toUpperCase()];
}

function serverUrls(holder: Json): string[] | undefined {
  const urls = objectsIn(holder['servers']).flatMap(({ url, variables }) =>
    typeof url === 'string' ? [fillIn(url, isObject(variables) ? variables : {})] : [],
  );
  return urls.length === 0 ? undefined : urls.map((url) => (/^[a-z][a-z0-9+.-]*:\/\/|^\//i.test(url) ? url : `/${url}`));
}
