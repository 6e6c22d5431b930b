// The parts that pages are made of.
import type { Kind } from '../../record.ts';
import { escapeHtml } from '../escape.ts';
import { count, plural, UNIT_BLANK } from '../numbers.ts';
import { clip, type Phrase } from '../phrase.ts';
import { markup, trusted, type Markup } from './markup.ts';
import type { Asset } from './assets.ts';

/** Returns our own words, with a number never parted from its unit. */
export const words = (text: string): Markup => trusted(escapeHtml(text).replace(UNIT_BLANK, '&nbsp;'));
/** Returns a phrase with log text set apart. */
export const prose = (text: Phrase): Markup[] => text.map((part) => (typeof part === 'string' ? words(part) : code(part.log)));
/** Returns log text. */
export const code = (text: string, length = 200): Markup => markup`<code>${clip(text, length)}</code>`;
/** Returns a kind with its colour. */
export const named = (kind: Kind): Markup =>
  markup`<span class="kind" data-kind="${kind}"><i class="kind-${kind}"></i>${kind}</span>`;

/** Returns a section with its heading. */
export function section(id: string, title: string, ...content: (Markup | readonly Markup[] | false)[]): Markup {
  return markup`
<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${content.map((part) => markup`${part}`)}</section>`;
}

/** Returns how many are not shown. */
export function more(all: readonly unknown[], limit: number, singular: string): Markup | false {
  return all.length > limit && markup`<p class="note">And ${plural(all.length - limit, singular)}, in the JSON report.</p>`;
}

export type Cell = readonly [title: string, cell: Markup | string | number];

export interface Row {
  cells: readonly Cell[];
  /** What the row is about, for the page's script: attributes without `data-`. */
  about?: Readonly<Record<string, string | number>>;
}

const attributes = (about: Row['about'] = {}): Markup[] =>
  Object.entries(about).map(([name, value]) => markup` data-${trusted(name)}="${value}"`);

/** Returns a table; numbers stand right. `name` is for the script, and for the file that it saves. */
export function table(caption: string, rows: readonly (readonly Cell[] | Row)[], name = ''): Markup {
  const shaped = rows.map((row): Row => ('cells' in row ? row : { cells: row }));
  const first = shaped[0]?.cells ?? [];
  const numeric = (cell: Cell[1]): Markup => trusted(typeof cell === 'number' ? ' class="n"' : '');
  const written = (cell: Cell[1]): string | Markup => (typeof cell === 'number' ? count(cell) : cell);
  const body = shaped.map(
    ({ cells, about }) =>
      markup`<tr${attributes(about)}>${cells.map(([, cell]) => markup`<td${numeric(cell)}>${written(cell)}</td>`)}</tr>\n`,
  );
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table${name !== '' && markup` data-table="${name}"`}>
<thead><tr>${first.map(([title, cell]) => markup`<th scope="col"${numeric(cell)}>${title}</th>`)}</tr></thead>
<tbody>${body}</tbody></table></div>`;
}

export interface Shell {
  title: string;
  style: Asset;
  /** Absent on a page that only reads. */
  script?: Asset;
  body: Markup;
}

/** Returns the page around a body: no request, no style and no script but those given. */
export function shell({ title, style, script, body }: Shell): Markup {
  const scripts = script === undefined ? "'none'" : script.hash;
  const policy = `default-src 'none'; script-src ${scripts}; style-src ${style.hash}; base-uri 'none'; form-action 'none'`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${clip(title, 120)} – stormgate</title>
<style>${trusted(style.text)}</style>
</head>
<body>
${body}${
    script !== undefined &&
    markup`<script>${trusted(script.text)}</script>
`
  }</body>
</html>
`;
}
