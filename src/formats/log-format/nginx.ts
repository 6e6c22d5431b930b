// nginx's `log_format`: variables between text, or the whole directive with its name and quotes.
import { unescapeField } from '../escape.ts';
import { knowsKey, readObject } from '../json.ts';
import { formatError, type Dialect, type Part, type Shape } from './template.ts';

const VARIABLE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})?/g;
const DIRECTIVE = /^\s*log_format\s+\S+\s+(?:escape=\w+\s+)?/;
const QUOTED = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g;

/** Variables that say nothing here, so that nobody is told of them. */
const SILENT =
  /^(?:connection\w*|pipe|server_(?:port|protocol|addr)|ssl_\w+|gzip_ratio|http_(?:referer|cookie|accept\w*|x_forwarded_(?:proto|host|port)|host|cf_\w+|via)|cookie_\w+|arg_\w+|nginx_version|pid|hostname|document_root|realpath_root|geoip\w*|limit_\w+|proxy_(?:port|protocol\w*)|request_(?:completion|body\w*|filename)|remote_port|binary_remote_addr|content_(?:type|length)|sent_http_\w+|upstream_\w+|tcpinfo_\w+|time_local|protocol|is_args|https|http2|http3|scheme|namespace|ingress_name|service_\w+|ssl|status_text)$/;
const LISTS = /^(?:upstream_(?:addr|status|\w+_time|\w+_length|bytes_\w+)|http_x_forwarded_for|proxy_add_x_forwarded_for)$/;
const TEXTS = /^(?:request|http_user_agent|http_referer|request_body|http_cookie)$/;
const KEYS: Readonly<Record<string, string>> = {
  document_uri: 'path',
  server_name: 'vhost',
  realip_remote_addr: 'peer',
  proxy_protocol_addr: 'peer',
  proxy_add_x_forwarded_for: 'x_forwarded_for',
  is_args: '',
};

function shapeOf(name: string): Shape {
  if (name === 'time_local') return 'clf';
  if (LISTS.test(name)) return 'list';
  return TEXTS.test(name) ? 'text' : 'word';
}

/** Returns the description alone: without directive, quotes and the breaks between them. */
function plain(text: string): string {
  const head = DIRECTIVE.exec(text)?.[0];
  if (head === undefined) return text;
  const quoted = [...text.slice(head.length).matchAll(QUOTED)];
  return quoted.map(([, single, double]) => (single ?? double ?? '').replace(/\\(['"\\])/g, '$1')).join('');
}

function parts(given: string, unknown: (field: string) => void): Part[] {
  const text = plain(given);
  const found: Part[] = [];
  let last = 0;
  for (const match of text.matchAll(VARIABLE)) {
    const { index } = match;
    const name = match[1] ?? match[2];
    if (name === undefined) throw formatError('a variable without a name', text, index, 'write $name or ${name}');
    const key = KEYS[name] ?? name;
    const isKnown = key !== '' && knowsKey(key);
    if (!isKnown && !SILENT.test(name)) unknown(match[0]);
    found.push(text.slice(last, index), { spelling: match[0], key: isKnown ? key : '', shape: shapeOf(name), at: index });
    last = index + match[0].length;
  }
  return [...found, text.slice(last)];
}

export const nginx: Dialect = {
  name: 'nginx-log-format',
  title: 'described by an nginx log_format',
  spec: 'https://nginx.org/en/docs/http/ngx_http_log_module.html#log_format',
  time: 'end',
  isOwn: (text) => /\$\{?[A-Za-z_]\w*/.test(text) || DIRECTIVE.test(text) || text.includes('$'),
  parts,
  unescape: unescapeField,
  read: readObject,
};
