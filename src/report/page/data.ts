// The slices as a page carries them: names inert and short, each one once.
import type { Findings, Slices } from '../../findings/findings.ts';
import { KINDS } from '../../record.ts';
import { escapeTerminal } from '../escape.ts';
import { count, plural } from '../numbers.ts';
import { KIND_COLOURS, SURFACES } from '../palette.ts';
import { clip } from '../phrase.ts';
import { REFUSALS, targetName } from '../verdict.ts';
import type { Data } from './slice.js';

const NAME = 96;
const KEY = 400;

export interface PageData extends Data {
  /** Clients and targets as the log names them, for commands; null where a name is too long to be of use. */
  keys: { clients: (string | null)[]; targets: (string | null)[] };
  storms: string[];
  colours: Record<string, string>;
  /** For commands; none where they are too many for one. */
  inputs: string[];
}

/** Returns what the page's script works on. */
export function pageData({ inputs, clients }: Findings, slices: Slices): PageData {
  const others = clients.total - slices.clients.length;
  const clientNames = distinct(slices.clients.map((client) => escapeTerminal(clip(client, NAME))));
  const targetNames = distinct(targetLabels(slices).map((target) => escapeTerminal(clip(target, NAME))));
  return {
    bucket_us: slices.bucket_us,
    steps: slices.steps,
    clients: [...clientNames, others > 0 ? plural(others, 'other client') : 'no other client'],
    keys: { clients: slices.clients.map(keyOf), targets: slices.targets.map((target) => keyOf(wholeName(target))) },
    targets: [...targetNames, 'other targets'],
    kinds: [...KINDS],
    refusals: REFUSALS.map((kind) => KINDS.indexOf(kind)),
    authoritative: (['protocol_not_supported', 'interface_not_declared', 'policy_refused'] as const).map((kind) =>
      KINDS.indexOf(kind),
    ),
    failures: (['throttled', 'transient'] as const).map((kind) => KINDS.indexOf(kind)),
    storms: slices.storms,
    colours: { all: SURFACES.ink.light, ...Object.fromEntries(KINDS.map((kind) => [kind, KIND_COLOURS[kind].light])) },
    inputs: inputs.length > 12 ? [] : inputs.map(({ name }) => name),
    requests: slices.requests,
    retries: slices.retries,
    attempts: slices.attempts,
  };
}

const keyOf = (name: string): string | null => (name.length > KEY ? null : name);

function wholeName({ http_method, path, rpc_method, rpc_name, authority }: Slices['targets'][number]): string {
  return [http_method, path, rpc_method, rpc_name, authority].filter((part) => part !== null).join(' ');
}

/** The authority is named only where it tells two targets apart. */
function targetLabels({ targets }: Slices): string[] {
  const names = targets.map(targetName);
  const seen = new Map<string, number>();
  for (const name of names) seen.set(name, (seen.get(name) ?? 0) + 1);
  return targets.map(({ authority }, i) => {
    const name = names[i] ?? '';
    return authority !== null && (seen.get(name) ?? 0) > 1 ? `${name} @ ${authority}` : name;
  });
}

/** Two names that look alike are two rows. */
function distinct(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const n = (seen.get(name) ?? 0) + 1;
    seen.set(name, n);
    return n === 1 ? name : `${name} (${count(n)})`;
  });
}
