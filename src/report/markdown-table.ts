// Tables in Markdown; the cells are escaped already.
export type Align = 'left' | 'right';

/** Returns a row. */
export const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Returns a table as lines. */
export function table(head: readonly (readonly [string, Align])[], rows: readonly (readonly string[])[]): string[] {
  return [
    line(head.map(([title]) => title)),
    line(head.map(([, align]) => (align === 'right' ? '--:' : '---'))),
    ...rows.map(line),
  ];
}
