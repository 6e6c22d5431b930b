// Prose that quotes log text. The two are kept apart until a renderer escapes each in its own way.

/** Text from the log (a client, a path, a file name): hostile, and set apart typographically where that is possible. */
export interface Quoted {
  readonly log: string;
}

export type Phrase = readonly (string | Quoted)[];

/** Returns a phrase from a template literal: the literal is ours, `Quoted` values are the log's, phrases and numbers are spliced in. */
export function phrase(literals: TemplateStringsArray, ...values: (string | number | Quoted | Phrase)[]): Phrase {
  return literals.flatMap((literal, i) => {
    const value = values[i] ?? '';
    if (Array.isArray(value)) return [literal, ...(value as Phrase)];
    return [literal, typeof value === 'number' ? String(value) : (value as string | Quoted)];
  });
}

/** Returns log text, cut in the middle where it is longer than anyone reads. */
export function quote(text: string, length = 160): Quoted {
  return { log: clip(text, length) };
}

/** Returns text of at most `length` code points, with the middle left out: both ends of a path or an agent tell something. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const chars = text.length > 8 * length ? [...text.slice(0, 2 * length), ...text.slice(-2 * length)] : [...text];
  if (chars.length <= length) return text;
  const head = Math.ceil((length - 1) * 0.6);
  return `${chars.slice(0, head).join('')}…${chars.slice(chars.length - (length - 1 - head)).join('')}`;
}

/** Returns the phrases as one, with something between each two. */
export function join(phrases: readonly Phrase[], between: string): Phrase {
  return phrases.flatMap((part, i) => (i === 0 ? part : [between, ...part]));
}

/** Returns the phrase as text: `own` escapes our words, `log` what the log says. */
export function write(text: Phrase, log: (text: string) => string, own: (text: string) => string = (words) => words): string {
  return text.map((part) => (typeof part === 'string' ? own(part) : log(part.log))).join('');
}
