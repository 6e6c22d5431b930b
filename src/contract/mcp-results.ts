// What an MCP server says of itself at run time: capabilities and names, never a path.
import { isObject, objectsIn, type DocumentKind } from './document.ts';

export const mcpInitializeResult: DocumentKind = {
  title: 'MCP initialize result',
  maybeRead({ protocolVersion, capabilities, serverInfo }) {
    if (typeof protocolVersion !== 'string' || !isObject(capabilities) || !isObject(serverInfo)) return undefined;
    return { title: `MCP initialize result ${protocolVersion}`, capabilities: Object.keys(capabilities) };
  },
};

export const mcpDiscoverResult: DocumentKind = {
  title: 'MCP server/discover result',
  maybeRead({ supportedVersions, capabilities }) {
    if (!Array.isArray(supportedVersions) || !isObject(capabilities)) return undefined;
    return { title: 'MCP server/discover result', capabilities: Object.keys(capabilities) };
  },
};

export const mcpToolsList: DocumentKind = {
  title: 'MCP tools/list result',
  maybeRead({ tools }) {
    if (!Array.isArray(tools) || !tools.every((tool) => isObject(tool) && typeof tool['name'] === 'string')) return undefined;
    return { title: 'MCP tools/list result', tools: objectsIn(tools).map(({ name }) => String(name)) };
  },
};
