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
  String.raw`xox[abeoprs]-[\w-]{12,}`,
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

/** Parameter names whose value is a credential whatever it looks like; the tokens of paging are none. */
const SECRET_NAME =
  '(?!(?:page|next|prev|continuation|sync|skip|progress|resume)[-_])(?:' +
  '(?:x[-_])?api[-_]?(?:key|token)|apikey|(?:[a-z]{1,16}[-_])?(?:token|secret|passw(?:or)?d)|(?:access|auth|client|session|refresh|id|bearer)(?:token|secret|key)|' +
  '(?:access|auth|subscription|private)[-_]key|pwd|passphrase|auth|authorization|jwt|bearer|credentials?|sig|signature|x-amz-signature|client_assertion|code_verifier)';

const TOKEN_ONCE = new RegExp(String.raw`(?<![\w-])(?:${TOKEN})`);
const TOKENS = new RegExp(TOKEN_ONCE, 'g');
const USER_INFO = /\/\/[^/\s"'@:?#]{1,256}:[^/\s"'@:?#]{1,256}@/g;
const BEARER = /(?<![\w-])(bearer|basic|token)((?:[ +]|%20){1,8})[\w.~+/=-]{14,}/gi;
const PAIR = new RegExp(String.raw`(?<![\w.-])(${SECRET_NAME})=([^&;\s"'<>\\]+)`, 'gi');
const MEMBER = new RegExp(
  String.raw`(?<![\w.-])((?:(?:proxy[-_]|x[-_])?(?:${SECRET_NAME})|(?:set-)?cookie|cookie2)\\?["']\s{0,4}[:=]\s{0,4}\[?\s{0,4}\\?["'])([^"'\\]+)`,
  'gi',
);

/** Values that say a secret was there without showing it. */
const HIDDEN = /^(?:\*+|x{3,}|-|null|none|undefined|true|false|\[?(?:redacted|filtered|masked|hidden|secret)\]?)$/i;

/** No credential has a shorter run of these characters, and hardly any path segment or product name a longer one. */
const RUN = 14;
const IS_RUN = Uint8Array.from({ length: 128 }, (_, code) => (/[\w.:-]/.test(String.fromCharCode(code)) ? 1 : 0));

/** Looks at the last character that a run could have first, and so at few of a text without runs. */
function hasLongRun(text: string): boolean {
  for (let start = 0; start + RUN <= text.length;) {
    let at = start + RUN - 1;
    while (at >= start && IS_RUN[text.charCodeAt(at)] === 1) at--;
    if (at < start) return true;
    start = at + 1;
  }
  return false;
}

function maskTokens(text: string): string {
  return TOKEN_ONCE.test(text) ? text.replace(TOKENS, MASK) : text;
}

function maskPairs(text: string): string {
  return text.replace(PAIR, (all, name: string, value: string) => (HIDDEN.test(value) ? all : `${name}=${MASK}`));
}

function maskUserInfo(text: string): string {
  return text.replace(USER_INFO, `//${MASK}@`);
}

/** Whether a text of the usual kind needs no closer look. */
function isHarmless(text: string): boolean {
  return !hasLongRun(text) && !text.includes('=') && !text.includes('@');
}

/** Returns a path with tokens, `name:password@` and secret matrix parameters masked. */
export function maskPath(path: string): string {
  return isHarmless(path) ? path : maskTokens(maskPairs(maskUserInfo(path)));
}

/** Returns a user agent, RPC name or other free text with tokens and bearer values masked. */
export function maskText(text: string): string {
  return isHarmless(text) ? text : maskFully(text);
}

function maskFully(text: string): string {
  const bare = maskTokens(text).replace(BEARER, (_, scheme: string, gap: string) => `${scheme}${gap}${MASK}`);
  return maskUserInfo(maskPairs(bare));
}

const SECRET_HINT = /key|token|secret|pass|pwd|auth|jwt|bearer|cred|sig|assertion|verifier/i;

/** Returns the name of the first query parameter that shows a credential, or null; a query itself is never stored. */
export function credentialParameter(query: string): string | null {
  if (SECRET_HINT.test(query)) {
    for (const [, name = '', value = ''] of query.matchAll(PAIR)) if (!HIDDEN.test(value)) return name.toLowerCase();
  }
  const token = hasLongRun(query) ? TOKEN_ONCE.exec(query) : null;
  if (token === null) return null;
  const before = query.slice(Math.max(0, token.index - 64), token.index);
  return /(?:^|[&;])([\w.-]{1,40})=$/.exec(before)?.[1]?.toLowerCase() ?? 'unnamed';
}

/** Returns a raw log line with every credential that can be told masked, for excerpts. */
export function maskLine(line: string): string {
  return maskFully(line).replace(MEMBER, (all, head: string, value: string) => (HIDDEN.test(value) ? all : head + MASK));
}
