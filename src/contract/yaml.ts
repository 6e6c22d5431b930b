// YAML, and JSON as a part of it, with the place of everything in the text.
import { InputError } from '../errors.ts';

export interface Yaml {
  value: unknown;
  /** Returns `name:line:column` of what stands at a path of keys and positions; the nearest part around it if there is none. */
  at(path: readonly (string | number)[]): string;
}

/** Reads a text. Throws an InputError that says where it breaks. */
export async function readYaml(name: string, source: string): Promise<Yaml> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { logLevel: 'silent', lineCounter });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const [start] = fault.linePos ?? [];
    throw new InputError(`neither JSON nor YAML: ${JSON.stringify(name)}`, {
      reason: fault.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, ''),
      at: start === undefined ? name : `${name}:${start.line}:${start.col}`,
    });
  }
  const at = (path: readonly (string | number)[]): string => {
    const node = document.getIn(path, true) as { range?: readonly number[] | null } | undefined;
    const offset = node?.range?.[0];
    if (offset === undefined) return path.length === 0 ? `${name}:1:1` : at(path.slice(0, -1));
    const { line, col } = lineCounter.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  try {
    return { value: document.toJS(), at };
  } catch (error) {
    // Aliases that multiply without end.
    throw new InputError(`cannot expand: ${JSON.stringify(name)}`, { reason: (error as Error).message }, { cause: error });
  }
}
