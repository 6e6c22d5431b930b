import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  escapeCsv,
  escapeHtml,
  escapeMarkdown,
  escapeTerminal,
  toJson,
  toMarkdownCode,
  toScriptJson,
} from '../../src/report/escape.ts';
import { HOSTILE } from './fixtures.ts';
import { UNSEEN } from './unseen.ts';

const anyText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...HOSTILE),
        fc.string({ unit: fc.constantFrom(...'=+-@|`<>&"\'\\,;\t\r\n \u202E\u200B\u009B_*[](){}#!~$') }),
      ),
    )
    .map((parts) => parts.join('')),
);
function holds(check: (text: string) => void): void {
  const property = fc.property(anyText, (text) => {
    check(text);
  });
  fc.assert(property, { seed: 7, numRuns: 400 });
}

describe('text for a terminal', () => {
  it.each([
    ['\u001B[2J', String.raw`\x1b[2J`],
    ['a\r\nb\tc', String.raw`a\r\nb\tc`],
    ['\u009B31m\u007F', String.raw`\x9b31m\x7f`],
    ['\u202Egnp.exe', String.raw`\u{202e}gnp.exe`],
    ['a\u200Bb\uFEFF', String.raw`a\u{200b}b\u{feff}`],
    ['\uD800', String.raw`\u{d800}`],
    ['a\u00A0b\u3000c', String.raw`a\xa0b\u{3000}c`],
    ['漢字 e\u0301 🌪', '漢字 e\u0301 🌪'],
    ['/plain path?', '/plain path?'],
  ])('shows %j as %j', (raw, shown) => expect(escapeTerminal(raw)).toBe(shown));

  it('never sends what acts on a screen', () => holds((text) => expect(escapeTerminal(text)).not.toMatch(UNSEEN)));
});

describe('text for HTML', () => {
  it('leaves no markup and no way out of an attribute', () =>
    holds((text) => {
      const html = escapeHtml(text);
      expect(html).not.toMatch(/[<>"']/);
      expect(html).not.toMatch(/&(?!amp;|lt;|gt;|quot;|#39;)/);
      expect(html).not.toMatch(UNSEEN);
    }));
});

describe('JSON', () => {
  it('gives every value back and is inert on a terminal', () =>
    holds((text) => {
      expect(JSON.parse(toJson({ text }))).toEqual({ text });
      expect(toJson({ text })).not.toMatch(UNSEEN);
    }));

  it('inside a script element gives every value back and cannot end the element', () =>
    holds((text) => {
      expect(JSON.parse(toScriptJson([text]))).toEqual([text]);
      expect(toScriptJson([text])).not.toMatch(/[<>&]/);
    }));
});

/** Splits one CSV row as RFC 4180 says. */
function cells(row: string): string[] {
  return Array.from(row.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g), ([, cell = '']) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
  ).slice(0, 2);
}

describe('CSV', () => {
  it.each([
    ['=1+1', `"'=1+1"`],
    ['  @SUM(A1)', `"'  @SUM(A1)"`],
    ['-2', `"'-2"`],
    ['say "no", twice', '"say ""no"", twice"'],
    ['/mcp/sse', '/mcp/sse'],
    [-2, '-2'],
    [null, ''],
  ])('writes %j as %s', (value, field) => expect(escapeCsv(value)).toBe(field));

  it('keeps one field one field, and none is a formula', () =>
    holds((text) => {
      const row = `${escapeCsv(text)},${escapeCsv('end')}`;
      expect(cells(row)).toHaveLength(2);
      expect(cells(row)[1]).toBe('end');
      expect(cells(row)[0]).not.toMatch(/^\s*[=+\-@\t\r]/);
      expect(row).not.toMatch(/[\r\n]/);
    }));
});

describe('Markdown', () => {
  it.each([
    ['a`b', '`a\\x60b`'],
    ['a|b', '`a\\x7cb`'],
    ['  ', '`(empty)`'],
    ['@everyone <b>', '`@everyone <b>`'],
  ])('sets %j as code: %s', (raw, code) => expect(toMarkdownCode(raw)).toBe(code));

  it('keeps a code span one span and one table cell', () =>
    holds((text) => {
      const code = toMarkdownCode(text);
      expect(code).toMatch(/^`[^`|\r\n]+`$/);
      expect(code).not.toMatch(UNSEEN);
    }));

  it.each([
    ['[x](http://evil.example)', String.raw`\[x\]\(http:&#8203;//evil.example\)`],
    ['@team #1 www.evil.example', String.raw`@&#8203;team #&#8203;1 www&#8203;.evil.example`],
    ['<img onerror=x>', '&lt;img onerror=x&gt;'],
    ['1. one', String.raw`1\. one`],
    ['- item', String.raw`\- item`],
    ['snake_case `code` ~~gone~~', String.raw`snake\_case \`code\` \~\~gone\~\~`],
  ])('shows %j as prose', (raw, prose) => expect(escapeMarkdown(raw)).toBe(prose));

  it('leaves prose without markup, tags, links and mentions', () =>
    holds((text) => {
      const prose = escapeMarkdown(text);
      expect(prose).not.toMatch(/(?<!\\)(?:\\\\)*[`*_[\]()|~]/);
      expect(prose).not.toMatch(/[<>]|:\/\/|@(?!&#8203;)|www\./i);
      expect(prose).not.toMatch(UNSEEN);
    }));
});
