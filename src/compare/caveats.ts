// What else than the clients' behaviour may make two reports differ; a fix is only proven where none of it explains the change.
import type { Findings, Visibility } from '../findings/findings.ts';
import type { StormChange } from './comparison.ts';

export const CAVEATS = [
  'no_requests',
  'clients_unnamed',
  'client_key',
  'visibility',
  'contract',
  'version',
  'window',
  'overlap',
  'renamed_client',
] as const;

export interface Caveat {
  code: (typeof CAVEATS)[number];
  /** Ours alone: no log text. */
  note: string;
}

const LEVELS: Readonly<Record<keyof Visibility, string>> = {
  status: 'HTTP statuses',
  rpc_code: 'JSON-RPC codes',
  tool_error: 'tool results',
  time: 'time stamps',
  client: 'clients',
};

const UNEQUAL = 4;

/** Returns the caveats that apply, in the order of their list. */
export function maybeCaveats(before: Findings, after: Findings, storms: readonly StormChange[]): Caveat[] {
  const found: Caveat[] = [];
  const say = (code: Caveat['code'], isSo: boolean, note: string): void => {
    if (isSo) found.push({ code, note });
  };
  const isNamed = before.visibility.client && after.visibility.client;
  say(
    'no_requests',
    before.requests.total === 0 || after.requests.total === 0,
    'one side has no requests: its rates are unknown',
  );
  say('clients_unnamed', !isNamed, 'a log does not name its clients: storms are matched by kind alone');
  say(
    'client_key',
    isNamed && before.clients.key !== after.clients.key,
    `clients were told apart by ${before.clients.key} before and by ${after.clients.key} after: one client may have two names`,
  );
  for (const level of Object.keys(LEVELS) as (keyof Visibility)[]) {
    const [seen, unseen] = before.visibility[level] ? ['before', 'after'] : ['after', 'before'];
    say(
      'visibility',
      before.visibility[level] !== after.visibility[level],
      `${LEVELS[level]} are visible ${seen} but not ${unseen}: what depends on them cannot be compared`,
    );
  }
  say(
    'contract',
    before.contract.source !== after.contract.source,
    `the contract was ${SOURCES[before.contract.source]} before and ${SOURCES[after.contract.source]} after`,
  );
  say(
    'version',
    before.tool.version !== after.tool.version,
    'the two reports were made by different versions of stormgate: read the logs again with one of them',
  );
  const [shorter, longer] = [seconds(before), seconds(after)].toSorted((a, b) => a - b);
  say(
    'window',
    shorter !== undefined && longer !== undefined && shorter > 0 && longer > UNEQUAL * shorter,
    `one window is more than ${UNEQUAL} times as long as the other: a rare storm may just not have come`,
  );
  say('overlap', overlaps(before, after), 'the two windows overlap: some requests may be on both sides');
  say(
    'renamed_client',
    hasRenamed(storms),
    'a new storm comes from the address of one that is gone: perhaps the same client under a new version',
  );
  return found;
}

const SOURCES: Readonly<Record<Findings['contract']['source'], string>> = {
  documents: 'read from documents',
  inferred: 'inferred',
  none: 'unknown',
};

function seconds({ window: { start, end } }: Findings): number {
  return start === null || end === null ? 0 : (Date.parse(end) - Date.parse(start)) / 1000;
}

function overlaps({ window: a }: Findings, { window: b }: Findings): boolean {
  if (a.start === null || a.end === null || b.start === null || b.end === null) return false;
  return a.start <= b.end && b.start <= a.end;
}

const addressOf = (client: string | null): string => client?.split(' ', 1)[0] ?? '';

function hasRenamed(storms: readonly StormChange[]): boolean {
  const gone = new Set(storms.filter(({ state }) => state === 'gone').map(({ kind, client }) => `${kind} ${addressOf(client)}`));
  return storms.some(({ state, kind, client }) => state === 'new' && client !== null && gone.has(`${kind} ${addressOf(client)}`));
}
