// MCP server cards: the endpoint URL of each remote, and nothing about tools.
import { isObject, objectsIn, splitUrl, type DocumentKind, type Json } from './document.ts';

export const mcpServerCard: DocumentKind = {
  title: 'MCP server card',
  maybeRead(document) {
    const { $schema: schema, name, remotes } = document;
    const isCard = typeof schema === 'string' && /server(-card)?\.schema\.json$/.test(schema);
    const isNamed = typeof name === 'string' && name.includes('/') && Array.isArray(remotes);
    if (!isCard && !isNamed) return undefined;
    const paths = objectsIn(remotes).flatMap(({ url, variables }) => {
      if (typeof url !== 'string') return [];
      return [{ ...splitUrl(fillIn(url, isObject(variables) ? variables : {})), methods: null, protocol: 'mcp' as const }];
    });
    return { title: 'MCP server card', paths };
  },
};

/** Puts the defaults of URL variables in their places; a variable without a default stays a template. */
export function fillIn(url: string, variables: Json): string {
  return url.replace(/\{([^{}]*)\}/g, (place, name: string) => {
    const variable = variables[name];
    const value = isObject(variable) ? variable['default'] : undefined;
    return typeof value === 'string' || typeof value === 'number' ? String(value) : place;
  });
}
