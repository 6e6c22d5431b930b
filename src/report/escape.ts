// Log text is written by attackers. One escaper per output; each takes raw text and returns text that is inert there.

/**
 * Characters that act on a screen instead of being seen on it: controls, bidirectional and other format characters, zero-width
 * and filler characters, line separators, blanks that are no plain space, lone surrogates, private use.
 */
const UNSEEN = /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

function shown(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return SHORT[char] ?? (code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`);
}

/** Returns text for a terminal: what could move the cursor, hide or reorder text is shown as an escape, never sent. */
export function escapeTerminal(text: string): string {
  return text.replace(UNSEEN, shown);
}

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Returns text for HTML content and quoted attribute values. */
export function escapeHtml(text: string): string {
  return escapeTerminal(text).replace(/[&<>"']/g, (char) => HTML[char] ?? char);
}

/** Returns text for XML content and quoted attribute values; what XML cannot hold at all is shown as an escape. */
export function escapeXml(text: string): string {
  return escapeHtml(text).replace(/[\uFFFE\uFFFF]/g, shown);
}

/** Returns text for a quoted label value of Prometheus' text format. */
export function escapeLabel(text: string): string {
  return escapeTerminal(text).replace(/[\\"]/g, String.raw`\$&`);
}

const units = (char: string): string =>
  char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** Returns JSON whose strings are also inert on a terminal; parsing it gives the value back, character by character. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSEEN, (char) => (char === '\n' ? char : units(char)));
}

/** Returns JSON for the inside of a script element: no `</script>`, no comment, no entity can arise in it. */
export function toScriptJson(value: unknown): string {
  return toJson(value).replace(/[<>&]/g, units);
}

/** Returns one CSV field. A text that a spreadsheet would take for a formula gets a leading apostrophe. */
export function escapeCsv(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = escapeTerminal(value);
  const inert = /^ *[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text;
  return /^[\w.:/ -]*$/.test(inert) ? inert : `"${inert.replaceAll('"', '""')}"`;
}

/** Returns log text as a Markdown code span, where no markup, mention or link works; also inside a table cell. */
export function toMarkdownCode(text: string): string {
  const inert = escapeTerminal(text).replace(/[`|]/g, shown).trim();
  return inert === '' ? '`(empty)`' : `\`${inert}\``;
}

/** Returns text as Markdown prose: markup is shown, and addresses, mentions and references do not become links. */
export function escapeMarkdown(text: string): string {
  return escapeTerminal(text)
    .replace(/[\\`*_{}[\]()!|~$]/g, String.raw`\$&`)
    .replace(/[&<>]/g, (char) => HTML[char] ?? char)
    .replace(/[@#]/g, '$&&#8203;')
    .replace(/:(?=\/\/)/g, ':&#8203;')
    .replace(/\b(www|mailto|xmpp)(?=[.:])/gi, '$1&#8203;')
    .replace(/^(\s*(?:\d+|))([-+.=])/, String.raw`$1\$2`);
}
