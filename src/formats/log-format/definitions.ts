// Descriptions of log formats in configuration files of nginx, Apache, HAProxy, Envoy and GoAccess.

export interface Definition {
  /** As the file calls it; empty where it has no name. */
  name: string;
  text: string;
}

const STRING = String.raw`(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")`;
const NGINX = new RegExp(String.raw`^[ \t]*log_format\s+([\w.-]+)\s+(?:escape=\w+\s+)?(?:${STRING}\s*)+;`, 'gm');
const APACHE = /^[ \t]*(?:LogFormat|CustomLog[ \t]+\S+)[ \t]+"((?:[^"\\]|\\.)*)"(?:[ \t]+([\w.-]+))?/gim;
const LOG_FORMAT = /^[ \t]*log-format[ \t]+(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S(?:[^#\n\\]|\\.)*))/gm;
const ENVOY = /^[ \t-]*(?:inline_string|text_format|format):[ \t]*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S.*))$/gm;

/** Returns the formats that a configuration file defines, each once. */
export function readDefinitions(text: string): Definition[] {
  // A comment may hold an old definition; within a quoted text `#` is no comment.
  const live = text.replace(/^[ \t]*#.*$/gm, '');
  const nginx = [...live.matchAll(NGINX)].map(([all, name = '']) => ({ name, text: all.trim().replace(/;$/, '') }));
  const apache = [...live.matchAll(APACHE)].map(([, format = '', name = '']) => ({ name, text: format }));
  const others = [...live.matchAll(LOG_FORMAT)].map(([, double, single, bare]) => ({
    name: '',
    text: double ?? single ?? bare?.trimEnd() ?? '',
  }));
  const envoy = [...live.matchAll(ENVOY)]
    .map(([, double, single, bare]) => ({ name: '', text: double?.replaceAll(String.raw`\"`, '"') ?? single ?? bare ?? '' }))
    .filter((definition) => definition.text.includes('%'));
  const seen = new Set<string>();
  return [...nginx, ...apache, ...others, ...envoy].filter(
    (one) => one.text.length > 1 && !seen.has(one.text) && seen.add(one.text),
  );
}
