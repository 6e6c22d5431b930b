// HTML as a template literal that escapes whatever is put into it, unless it is markup already.
import { escapeHtml } from '../escape.ts';

export interface Markup {
  readonly markup: string;
}

type Value = string | number | false | null | Markup | readonly Markup[];

function inert(value: Value): string {
  if (value === false || value === null) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return 'markup' in value ? value.markup : value.map((part) => part.markup).join('');
}

/** Returns markup whose values are text, other markup, or nothing. */
export function markup(literals: TemplateStringsArray, ...values: Value[]): Markup {
  return { markup: literals.reduce((all, literal, i) => all + inert(values[i - 1] ?? null) + literal) };
}

/** Returns text that is markup already and needs no escaping: our own, or an escaper's. */
export function trusted(text: string): Markup {
  return { markup: text };
}
