// What every kind of discovery document comes down to. A new kind is a file that exports a `DocumentKind` and a line in `load.ts`.

/** A path that a document promises; `{x}` in it stands for one segment or part of one. */
export interface DeclaredPath {
  /** Null where the document names no host. */
  authority: string | null;
  path: string;
  /** Upper case; null if the document speaks of all methods. */
  methods: readonly string[] | null;
  protocol: 'mcp' | 'a2a' | 'http';
}

/** What one document says of the interface. */
export interface Declaration {
  /** What it was recognised as: `A2A agent card 1.0`. */
  title: string;
  paths?: readonly DeclaredPath[];
  tools?: readonly string[];
  /** Capabilities that an MCP server advertises (`tools`, `resources` …). */
  capabilities?: readonly string[];
}

export type Json = { readonly [key: string]: unknown };

export interface DocumentKind {
  /** What a user would call it, for messages. */
  readonly title: string;
  /** Returns what the document declares, or undefined if it is of another kind. */
  maybeRead(document: Json): Declaration | undefined;
}

/** Returns whether a parsed value is an object with keys. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects of a list; anything else holds none. */
export function objectsIn(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

const DEFAULT_PORTS: ReadonlyMap<string, string> = new Map([
  ['http', ':80'],
  ['https', ':443'],
]);

/**
 * Returns host and path of a URL, a host with a path, or a bare path: the host in lower case with its port unless that is the
 * scheme's default, the path without query and `/` if there is none. A host with a template in it is no host.
 */
export function splitUrl(url: string): { authority: string | null; path: string } {
  const [, scheme = '', host = '', rest = ''] =
    /^(?:([a-z][a-z0-9+.-]*):\/\/|\/\/)?(?:[^/?#@]*@)?([^/?#]*)([^?#]*)/i.exec(url) ?? [];
  const lower = host.toLowerCase();
  const port = DEFAULT_PORTS.get(scheme.toLowerCase());
  const authority = port !== undefined && lower.endsWith(port) ? lower.slice(0, -port.length) : lower;
  return { authority: authority === '' || /[{}]/.test(authority) ? null : authority, path: rest === '' ? '/' : rest };
}

/** Returns two paths as one, with a single slash between them. */
export function joinPaths(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
}
