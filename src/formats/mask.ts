// Credentials that show up in log text: found by their known shapes, masked before anything is stored, named by place only.
// Hashes, uuids and other ids are no credentials. Every pattern starts where the character before cannot belong to it, so a run
// of text is scanned once.

export const MASK = '***';

/** Keys and tokens whose makers gave them a recognisable beginning, and JSON web tokens. */
const TOKEN = [
  String.raw`eyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*`,
  'sk-[A-Za-z0-9]{20,}',
  String.raw`sk-(?:proj|ant|svcacct|admin|or|lf|litellm)-[\w-]{16,}`,
  String.raw`(?:sk|pk|rk)_(?:live|test)_\w{10,}`,
  String.raw`whsec_\w{20,}`,
  'gh[pousr]_[A-Za-z0-9]{30,}',
  String.raw`github_pat_\w{22,}`,
  String.raw`gl(?:pat|ptt|dt|rt)-[\w-]{20,}`,
  String.raw`xox[abeoprs]-[\w-]{10,}`,
  String.raw`xapp-[\w-]{20,}`,
  '(?:AKIA|ASIA)[0-9A-Z]{16}',
  String.raw`AIza[\w-]{35}`,
  String.raw`ya29\.[\w-]{20,}`,
  String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`,
  String.raw`npm_[A-Za-z0-9]{36}`,
  String.raw`pypi-[\w-]{40,}`,
  '(?:hf|gsk|tvly|r8|fw)_[A-Za-z0-9]{30,}',
  '(?:xai|tvly|pplx|fc|jina|ctx7sk)-[A-Za-z0-9]{30,}',
  'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}',
  'dop_v1_[0-9a-f]{64}',
  String.raw`lin_api_\w{30,}`,
  String.raw`ntn_\w{40,}`,
  String.raw`bot\d{8,10}:[\w-]{35}`,
].join('|');

/** Parameter names whose value is a credential whatever it looks like. */
const SECRET_NAME =
  '(?:x[-_])?api[-_]?(?:key|token)|apikey|(?:[a-z]{1,16}[-_])?(?:token|secret|passw(?:or)?d)|(?:access|auth|client|session|refresh|id|bearer)(?:token|secret|key)|' +
  '(?:access|auth|subscription|private)[-_]key|pwd|passphrase|auth|authorization|jwt|bearer|credentials?|sig|signature|x-amz-signature|client_assertion|code_verifier';

const TOKEN_ONCE = new RegExp(String.raw`(?<![\w-])(?:${TOKEN})`);
const TOKENS = new RegExp(TOKEN_ONCE, 'g');
const USER_INFO = /\/\/[^/\s"'@:?#]{1,256}:[^/\s"'@:?#]{1,256}@/g;
const BEARER = /(?<![\w-])(bearer|basic|token)((?:[ +]|%20){1,8})[\w.~+/=-]{12,}/gi;
const PAIR = new RegExp(String.raw`(?<![\w.-])(${SECRET_NAME})=([^&;\s"'<>\\]+)`, 'gi');
const MEMBER = new RegExp(
  String.raw`(?<![\w.-])((?:(?:proxy[-_]|x[-_])?(?:${SECRET_NAME})|(?:set-)?cookie|cookie2)\\?["']\s{0,4}[:=]\s{0,4}\[?\s{0,4}\\?["'])([^"'\\]+)`,
  'gi',
);

/** Values that say a secret was there without showing it. */
const HIDDEN = /^(?:\*+|x{3,}|-|null|none|undefined|true|false|\[?(?:redacted|filtered|masked|hidden|secret)\]?)$/i;

export interface Masked {
  text: string;
  /** Whether something was masked. */
  found: boolean;
}

/** Returns a path with tokens, `name:password@` and secret matrix parameters masked, and the place of the first, or null. */
export function maskPath(path: string): { path: string; place: string | null } {
  if (path.length < 12) return { path, place: null };
  let place: string | null = null;
  let masked = path;
  if (path.includes('@')) masked = replaceAll(masked, USER_INFO, `//${MASK}@`);
  if (masked !== path) place = 'user-info';
  const bare = path.includes('=') ? maskPairs(masked) : masked;
  const text = TOKEN_ONCE.test(bare) ? replaceAll(bare, TOKENS, MASK) : bare;
  return { path: text, place: text === masked ? place : (place ?? 'path segment') };
}

/** Returns a user agent, RPC name or other free text with tokens and bearer values masked. */
export function maskText(text: string): Masked {
  if (text.length < 12) return { text, found: false };
  let masked = TOKEN_ONCE.test(text) ? replaceAll(text, TOKENS, MASK) : text;
  masked = masked.replace(BEARER, (_, scheme: string, gap: string) => `${scheme}${gap}${MASK}`);
  if (text.includes('=')) masked = maskPairs(masked);
  if (text.includes('@')) masked = replaceAll(masked, USER_INFO, `//${MASK}@`);
  return { text: masked, found: masked !== text };
}

/** Returns the name of the first query parameter that shows a credential, or null; a query itself is never stored. */
export function credentialParameter(query: string): string | null {
  for (const [, name = '', value = ''] of query.matchAll(PAIR)) if (!HIDDEN.test(value)) return name.toLowerCase();
  const token = TOKEN_ONCE.exec(query);
  if (token === null) return null;
  const before = query.slice(Math.max(0, token.index - 64), token.index);
  return /(?:^|[&;])([\w.-]{1,40})=$/.exec(before)?.[1]?.toLowerCase() ?? 'unnamed';
}

/** Returns a raw log line with every credential that can be told masked, for excerpts. */
export function maskLine(line: string): string {
  const bare = maskText(line).text;
  return bare.replace(MEMBER, (all, head: string, value: string) => (HIDDEN.test(value) ? all : head + MASK));
}

function maskPairs(text: string): string {
  return text.replace(PAIR, (all, name: string, value: string) => (HIDDEN.test(value) ? all : `${name}=${MASK}`));
}

function replaceAll(text: string, pattern: RegExp, by: string): string {
  return text.replace(pattern, by);
}
