// Finds the declared paths that a path fits: a tree of segments, exact ones first, then those with a variable in them.
import type { DeclaredPath } from './document.ts';

/** A declared path that fits; `is_template` if a variable of it was filled. */
export interface Hit extends DeclaredPath {
  is_template: boolean;
}

interface Branch {
  exact: Map<string, Branch>;
  variable: { source: string; pattern: RegExp; branch: Branch }[];
  hits: Hit[];
}

/** Longer segments fit no variable: the patterns must not meet text without end. */
const MAX_SEGMENT = 512;

/** Returns a function from a path to the declared paths that it fits, the most exact first. */
export function openMatcher(declared: readonly DeclaredPath[]): (path: string) => Hit[] {
  const root = branch();
  for (const each of declared) plant(root, each);
  return (path) => {
    const hits: Hit[] = [];
    collect(root, path.split('/'), 0, hits);
    return hits;
  };
}

function branch(): Branch {
  return { exact: new Map(), variable: [], hits: [] };
}

function plant(root: Branch, declared: DeclaredPath): void {
  let at = root;
  for (const segment of declared.path.split('/'))
    at = segment.includes('{') ? variableBranch(at, segment) : exactBranch(at, segment);
  at.hits.push({ ...declared, is_template: declared.path.includes('{') });
}

function exactBranch({ exact }: Branch, segment: string): Branch {
  const next = exact.get(segment) ?? branch();
  exact.set(segment, next);
  return next;
}

function variableBranch({ variable }: Branch, segment: string): Branch {
  const source = segment.replace(/(?:\{[^{}]*\})+/g, '{}');
  const known = variable.find((each) => each.source === source);
  if (known !== undefined) return known.branch;
  const literal = source.split('{}').map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const next = { source, pattern: new RegExp(`^${literal.join('.+')}$`), branch: branch() };
  variable.push(next);
  variable.sort((a, b) => b.source.length - a.source.length);
  return next.branch;
}

function collect(at: Branch, segments: readonly string[], depth: number, hits: Hit[]): void {
  const segment = segments[depth];
  if (segment === undefined) {
    hits.push(...at.hits);
    return;
  }
  const exact = at.exact.get(segment);
  if (exact !== undefined) collect(exact, segments, depth + 1, hits);
  if (segment.length > MAX_SEGMENT) return;
  for (const { pattern, branch: next } of at.variable) if (pattern.test(segment)) collect(next, segments, depth + 1, hits);
}
