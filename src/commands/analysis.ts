// What report, query and demo share: flags that say what to read and how, and the analysis that follows from them.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { InputError, UsageError } from '../errors.ts';
import type { ContractDocument } from '../contract/contract.ts';
import type { Identity } from '../ingest/identity.ts';
import type { Analysis, AnalysisRequest } from '../ingest/run.ts';
import * as messages from '../messages.ts';
import { CLIENT_KEYS, FORMAT_NAMES, type ClientKey } from '../record.ts';
import { defineFlags, type Call, type Values } from './command.ts';
import { interruptible } from './interrupt.ts';
import type { DatabaseOptions } from '../store/database.ts';
import { readLogFormats } from './log-formats.ts';
import { maybeProgress } from './progress.ts';
import { printProgress, printWarning } from './stderr.ts';
import { isNetwork, readCount, readInstant, readSize, readZone } from './values.ts';

const READING = 'What is read';
const RUNNING = 'How it runs';

/** Flags of every command that reads a log. */
export const INPUT_FLAGS = defineFlags({
  'log-format': {
    value: 'FORMAT',
    describe:
      'read every input as this: a name (stormgate formats), or a format string of nginx, Apache, Envoy, HAProxy or GoAccess',
    suggestions: FORMAT_NAMES,
    group: READING,
  },
  'log-format-from': {
    value: 'FILE',
    describe: 'take format strings from this configuration file; with --log-format NAME only that one',
    group: READING,
  },
  tz: { value: 'ZONE', describe: 'zone of stamps and times without an offset: an IANA name (default UTC)', group: READING },
  contract: {
    value: 'FILE',
    describe: 'A2A or MCP card, tools/list, OpenAPI: what the interface declares; none: do not infer it from the log',
    repeat: true,
    group: READING,
  },
  'trusted-proxies': {
    value: 'CIDR',
    describe: 'networks of your own proxies: clients are told by the address that the last of these saw',
    repeat: true,
    group: READING,
  },
  'client-key': {
    value: 'KEY',
    describe: 'what requests of one client have in common (default principal: who the log names, else address and user agent)',
    choices: CLIENT_KEYS,
    group: READING,
  },
  anonymize: {
    describe: 'keyed hashes in place of addresses and user names; STORMGATE_ANONYMIZE_KEY keeps them the same from run to run',
    group: READING,
  },
  'max-expansion': {
    value: 'N',
    describe: 'stop where an archive expands to more than N times its size (default 1000 times, and 10 GB in any case)',
    group: READING,
  },
  endpoint: { value: 'PATH', describe: 'MCP endpoint, such as /mcp or mcp.example.com/mcp', repeat: true, group: READING },
  quiet: { alias: 'q', describe: 'no progress, no warnings', group: RUNNING },
});

/** Flags of the commands that analyse a log as a whole. */
export const ANALYSIS_FLAGS = defineFlags({
  ...INPUT_FLAGS,
  since: { value: 'TIME', describe: 'only requests that start at or after this time (ISO 8601)', group: READING },
  until: { value: 'TIME', describe: 'only requests that start before this time (ISO 8601)', group: READING },
  client: { value: 'KEY', describe: 'only this client, by its key as reports show it', group: READING },
  rejects: { value: 'FILE', describe: 'save every line that could not be understood, as NDJSON', group: RUNNING },
  db: { value: 'FILE', describe: 'keep all tables as a DuckDB file', group: RUNNING },
  parquet: { value: 'DIR', describe: 'export all tables as Parquet', group: RUNNING },
  memory: { value: 'SIZE', describe: 'memory for the engine before it uses the disk (default 224MB)', group: RUNNING },
  threads: { value: 'N', describe: 'threads for the engine (default all cores)', group: RUNNING },
});

/** Returns the inputs to read: the operands, or what is piped in. */
export function inputsOf(operands: readonly string[], isTerminal = process.stdin.isTTY): string[] {
  if (operands.filter((operand) => operand === '-').length > 1) throw new UsageError(messages.twoReadersOfStdin());
  if (operands.length > 0) return [...operands];
  if (isTerminal) throw new UsageError(messages.nothingToRead(), { help: messages.howToRead() });
  return ['-'];
}

/** Returns what the input flags say, with the contract documents read. */
export async function readInputFlags(flags: Omit<Values<typeof INPUT_FLAGS>, keyof OptionalFlags> & Partial<OptionalFlags>) {
  const isNone = flags.contract.includes('none');
  if (isNone && flags.contract.length > 1) throw new UsageError(messages.contractNoneAndMore());
  return {
    ...(await readLogFormats(
      flags['log-format'],
      flags['log-format-from'],
      flags.quiet === true ? () => undefined : printWarning,
    )),
    timeZone: flags.tz === undefined ? 'UTC' : readZone(flags.tz),
    isZoneAssumed: flags.tz === undefined,
    maxExpansion: flags['max-expansion'] === undefined ? undefined : readCount('max-expansion', flags['max-expansion'], 1),
    documents: isNone ? [] : await Promise.all(flags.contract.map(readDocument)),
    identity: identityOf(flags),
    endpoints: [...flags.endpoint],
    infer: !isNone,
  };
}

type OptionalFlags = IdentityFlags & Pick<Values<typeof INPUT_FLAGS>, 'quiet' | 'log-format-from' | 'max-expansion'>;
type IdentityFlags = Pick<Values<typeof INPUT_FLAGS>, 'trusted-proxies' | 'client-key' | 'anonymize'>;

function identityOf(flags: Partial<IdentityFlags>): Identity | undefined {
  const trustedProxies = (flags['trusted-proxies'] ?? []).flatMap((list) => list.split(','));
  const wrong = trustedProxies.find((network) => !isNetwork(network));
  if (wrong !== undefined) {
    throw new UsageError(messages.badValue('trusted-proxies', wrong), { help: messages.expectedNetwork() });
  }
  const clientKey = flags['client-key'] as ClientKey | undefined;
  const anonymizeKey = flags.anonymize === true ? anonymizeKeyOf(process.env) : undefined;
  if (trustedProxies.length === 0 && clientKey === undefined && anonymizeKey === undefined) return undefined;
  return { trustedProxies, clientKey, anonymizeKey };
}

let runKey: string | undefined;

/** Without a key of the user's own, hashes are like those of no other run; all that one run reads shares them. */
function anonymizeKeyOf({ STORMGATE_ANONYMIZE_KEY: key = '' }: NodeJS.ProcessEnv): string {
  return key === '' ? (runKey ??= randomBytes(16).toString('hex')) : key;
}

/** Returns a contract document as it is written. */
export async function readDocument(name: string): Promise<ContractDocument> {
  try {
    return { name, text: await readFile(name, 'utf8') };
  } catch (error) {
    throw new InputError(messages.cannotRead('contract', name), { reason: (error as Error).message }, { cause: error });
  }
}

/** Returns the request that the flags of a call make. */
export async function analysisRequest(
  inputs: string[],
  { flags, settings }: Pick<Call<typeof ANALYSIS_FLAGS>, 'flags' | 'settings'>,
): Promise<AnalysisRequest> {
  const input = await readInputFlags(flags);
  return {
    ...input,
    inputs,
    ...windowOf(flags, input.timeZone),
    client: flags.client,
    settings,
    database: databaseOptions(flags),
    rejectsFile: flags.rejects,
  };
}

/** Returns what the flags say of the engine. */
export function databaseOptions({
  db,
  memory,
  threads,
}: Pick<Values<typeof ANALYSIS_FLAGS>, 'db' | 'memory' | 'threads'>): DatabaseOptions {
  return {
    path: db,
    memory: memory === undefined ? undefined : readSize('memory', memory),
    threads: threads === undefined ? undefined : readCount('threads', threads, 1),
  };
}

function windowOf(
  flags: { since: string | undefined; until: string | undefined },
  timeZone: string,
): Pick<AnalysisRequest, 'since' | 'until'> {
  const since = flags.since === undefined ? undefined : readInstant('since', flags.since, timeZone);
  const until = flags.until === undefined ? undefined : readInstant('until', flags.until, timeZone);
  if (since !== undefined && until !== undefined && since >= until) {
    throw new UsageError(messages.emptyWindow(flags.since ?? '', flags.until ?? ''));
  }
  return { since, until };
}

/** Reads and analyses; with progress and warnings unless quiet, and so that Ctrl-C ends reading. Whoever asks closes the analysis. */
export async function openAnalysis(
  request: AnalysisRequest,
  { quiet, parquet }: { quiet: boolean; parquet: string | undefined },
): Promise<Analysis> {
  const { analyse } = await import('../ingest/run.ts');
  const onProgress = maybeProgress(quiet);
  const interrupt = interruptible();
  let analysis: Analysis;
  try {
    analysis = await analyse({ ...request, abort: interrupt.signal, onProgress, onWarning: quiet ? undefined : printWarning });
  } finally {
    interrupt.end();
    printProgress('');
  }
  if (parquet !== undefined) await exportTables(analysis, parquet);
  return analysis;
}

async function exportTables(analysis: Analysis, folder: string): Promise<void> {
  const { exportParquet } = await import('../store/export.ts');
  try {
    await exportParquet(analysis.database, folder);
  } catch (error) {
    await analysis.close();
    throw error;
  }
}
