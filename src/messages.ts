// Every sentence that the commands print, as a function of typed arguments; results and their wording are in report/.
// Texts come back as they are: whoever prints them escapes control characters, once.

const quote = (text: string): string => JSON.stringify(text);

export const unknownName = (what: string, name: string) => `unknown ${what}: ${quote(name)}`;

/** Returns what a wrong name may have been meant to be, and the choice: all names, or the place that tells them. */
export function knownNames(nearest: string | undefined, names: readonly string[], place = `known: ${names.join(', ')}`): string {
  return nearest === undefined ? place : `did you mean ${quote(nearest)}? ${place}`;
}

// Flags and operands
export const flagWithoutValue = (flag: string) => `flag without a value: "--${flag}"`;
export const writeFlag = (flag: string, value: string) => `write --${flag} ${value}`;
export const flagGivenTwice = (flag: string) => `flag given more than once: "--${flag}"`;
export const badValue = (flag: string, text: string) => `bad value for --${flag}: ${quote(text)}`;
export const unexpectedOperand = (text: string) => `unexpected argument: ${quote(text)}`;
export const missingOperand = (what: string) => `missing argument: ${what}`;
export const flagsExclude = (one: string, other: string) => `flags that exclude each other: "--${one}" and "--${other}"`;
export const seeHelp = (command: string) => `see stormgate ${command} --help`;
export const commandFirst = (command: string) => `the command comes first: stormgate ${command} …`;

export const expectedInstant = () => 'give a time such as 2026-03-01, 2026-03-01T09:30 or 2026-03-01T09:30:00Z';
export const expectedNetwork = () => 'give a network such as 10.0.0.0/8 or 2001:db8::/32, or an address';
export const expectedZone = () => 'give an IANA name such as Europe/Zurich';
export const expectedSize = () => 'give a size such as 512MB or 2GB';
export const expectedCount = (least: number) => `give a whole number from ${least} up`;
export const expectedDuration = () => 'give a whole number with a unit, such as 90s, 30m or 24h';
export const expectedWhole = () => 'give a whole number';
export const emptyWindow = (since: string, until: string) => `--since ${quote(since)} is not before --until ${quote(until)}`;

// Input
export const nothingToRead = () => 'no log named, and nothing is piped in';
export const howToRead = () =>
  'name a log (stormgate access.log), pipe one in (kubectl logs deploy/mcp | stormgate), or see stormgate demo';
export const stoppedReading = () => 'reading stopped; what was read so far is reported (Ctrl-C again ends at once)';
export const cannotOpenDatabase = (path: string) => `cannot open database: ${quote(path)}`;
export const noDatabase = (path: string) => `no such database: ${quote(path)}`;
export const makeDatabase = (path: string) => `make it first: stormgate access.log --db ${path}`;
export const needsLog = (flag: string) => `a kept database cannot be read anew: "--${flag}"`;
export const nameLog = () => 'name the logs again, or leave the flag out';
export const nothingChosen = () => 'no request is left: check --since, --until and --client';
export const cannotRead = (what: string, path: string) => `cannot read ${what}: ${quote(path)}`;
export const contractNoneAndMore = () => '--contract none stands alone';
export const twoReadersOfStdin = () => 'standard input can only be read once';

export const notUnderstood = (name: string, lines: number) => `no line of ${lines} is understood: ${quote(name)}`;
export const zoneAssumed = (name: string, zone: string) =>
  `its stamps bear no zone and are read as ${zone} (--tz ZONE changes that): ${quote(name)}`;
export const skippedFields = (fields: readonly string[]) => `nothing is read from ${fields.join(', ')}: not known`;
export const seeFormats = () => 'give a name (see stormgate formats), or the format string of the server in single quotes';
export const noDefinition = (file: string) => `no log format is defined in: ${quote(file)}`;
export const whereDefined = () =>
  "name the file that holds nginx's log_format, Apache's LogFormat, HAProxy's or GoAccess's log-format, or Envoy's format";
export const firstLines = (lines: readonly string[]) => `it begins with: ${lines.map(quote).join(', ')}`;
export const triedFormats = (names: readonly string[]) => `tried: ${names.join(', ')}; --log-format NAME reads it as one of them`;

// Output
export const reportExtension = (path: string) => `extension of ${quote(path)}`;
export const cannotWrite = (path: string) => `cannot write: ${quote(path)}`;
export const outputTwice = (path: string) => `written more than once: ${quote(path)}`;
export const progress = (done: string, rate: string, left: string | undefined, source: string) =>
  `${done}, ${rate} lines/s${left === undefined ? '' : `, ${left} left`}: ${source}`;
export const bytesOf = (done: string, total: string | undefined) => (total === undefined ? done : `${done} of ${total}`);

// Comparison
export const otherSchema = (path: string, schema: string, known: string) =>
  `report of schema ${quote(schema)}, not ${quote(known)}: ${quote(path)}`;
export const brokenReport = (path: string) => `not a whole report: ${quote(path)}`;
export const quoteGlobs = () => 'each side is one argument: a file, a folder, or a glob in quotes';

// Limits
export const badLimit = (text: string) => `bad limit: ${quote(text)}`;
export const limitShape = () => `write a figure, a comparison and a number: --fail-on 'storms>0'`;
export const limitCrossed = (limit: string, figure: string, value: string) => `limit crossed: ${limit} (${figure} is ${value})`;

export const bug = (stack: string) => `error: this is a bug in stormgate, please report it\n${stack}\n`;

// Commands
export const demo = (folder: string) => `a made-up day of a federation of agents, shipped with stormgate in ${folder}`;
export const formatListed = (name: string, title: string, spec: string) => `${name}  ${title} (${spec})`;
interface DetectedLog {
  name: string;
  lines: number;
  isWhole: boolean;
  records: number;
  rejects: number;
  parts: number;
  other: number;
  formats: readonly { name: string; title: string; spec: string; count: number }[];
  wrappers: readonly { title: string }[];
  zone: 'assumed' | 'own' | 'none';
  requests: number;
  fields: readonly { name: string; count: number; example: string }[];
  advice: readonly { fact: string; add: string | undefined; why: string }[];
}

const share = (count: number, all: number) => `${Math.floor((100 * count) / Math.max(all, 1))} %`;

/** Returns what a log was told to be, as a short text. */
export function detection(log: DetectedLog, zone: string): string {
  const { lines, records, rejects, parts, other } = log;
  const counts = Object.entries({ records, rejects, parts, other }).filter(([, count]) => count > 0);
  const understood = log.formats.reduce((sum, { count }) => sum + count, 0);
  const width = Math.max(...log.fields.map(({ name }) => name.length), 0);
  const stamps = { assumed: `without a zone, read as ${zone} (--tz ZONE changes that)`, own: 'with their zone', none: 'none' };
  const facts = {
    format:
      log.formats.length === 0
        ? 'not understood'
        : log.formats.map(({ name, title, count }) => `${name} (${title}), ${share(count, understood)}`).join('\n              '),
    lines: `${log.isWhole ? '' : 'the first '}${lines}: ${counts.map(([what, count]) => `${count} ${what} (${share(count, lines)})`).join(', ') || 'none'}`,
    wrappers: log.wrappers.map(({ title }) => title).join(' around ') || 'none',
    stamps: stamps[log.zone],
  };
  const head = Object.entries(facts).map(([label, value]) => `  ${label.padEnd(12)}${value}\n`);
  const fields = log.fields.map(
    ({ name, count, example }) => `    ${name.padEnd(width)}  ${share(count, log.requests).padStart(5)}  ${example}\n`,
  );
  const advice = log.advice.map(({ fact, add, why }) => `    ${add ?? fact}: ${why}\n`);
  return [
    `${log.name}\n`,
    ...head,
    ...(fields.length === 0 ? [] : ['  Its requests show\n', ...fields]),
    ...(advice.length === 0 ? [] : ['  It would tell more with\n', ...advice]),
  ].join('');
}

export const seeQueries = () => 'see stormgate query --list, or ask SQL of your own with --sql or --file';
export const badPlace = (text: string) => `not a line of a file: ${quote(text)}`;
export const placeShape = (file: string) => `write ${file}:812`;
export const nothingToExplain = () => 'nothing to explain';
export const howToExplain = () =>
  'describe an answer (--status 404 --path /mcp/sse), name a line (access.log:812), or print all rules (--all)';

/** Returns the list of queries, steps and reports apart. */
export function queryList(queries: readonly { name: string; part: 'step' | 'report'; description: string }[]): string {
  const width = Math.max(...queries.map(({ name }) => name.length));
  const section = (title: string, part: string) =>
    `${title}\n${queries
      .filter((query) => query.part === part)
      .map(({ name, description }) => `  ${name.padEnd(width)}  ${description}\n`)
      .join('')}`;
  return `${section('Sections of the report', 'report')}\n${section('Steps, in the order in which they are made', 'step')}`;
}

interface AskedTarget {
  http_method: string | null;
  authority: string | null;
  path: string | null;
  rpc_method: string | null;
  rpc_name: string | null;
  declared: string;
}

/** Returns what was asked for and what was answered, as the heading of the rule that judges it. */
export function judged(target: AskedTarget, { status, rpc_code }: { status: number | null; rpc_code: number | null }): string {
  const url = `${target.authority ?? ''}${target.path ?? ''}`;
  const asked = [target.http_method, url, target.rpc_method, target.rpc_name]
    .filter((part) => part !== null && part !== '')
    .join(' ');
  const answered = [
    status === null ? 'no status' : `HTTP ${status}`,
    ...(rpc_code === null ? [] : [`RPC code ${rpc_code}`]),
  ].join(', ');
  return `${asked} (${target.declared}): ${answered}\n`;
}

export const noSuchLine = (file: string, line: number) => `no line ${line} in: ${quote(file)}`;
export const noRequest = (why: string) => `no request begins on this line: ${why.replaceAll('_', ' ')}\n`;

interface RuleText {
  order: number;
  kind: string;
  reason: string;
  advice: string;
  confidence: string;
  memory_family: string;
  lifted_by: string;
  when: string;
  says: string;
  source: string;
}

/** Returns a rule of the table as a short paragraph. */
export function rule(text: RuleText, total: number): string {
  const memory = text.memory_family === 'none' ? 'none' : `${text.memory_family}, lifted by ${text.lifted_by}`;
  const lines = {
    says: text.says,
    when: text.when,
    advice: text.advice,
    confidence: text.confidence,
    memory,
    source: text.source,
  };
  const body = Object.entries(lines).map(([label, value]) => `  ${label.padEnd(12)}${value}\n`);
  return `${text.kind}: ${text.reason} (rule ${text.order} of ${total})\n${body.join('')}`;
}

// Store
export const noKeptDatabase = (path: string) => `not a database that stormgate made: ${quote(path)}`;
export const cannotWriteFolder = (path: string) => `cannot write to folder: ${quote(path)}`;
export const otherFolder = () => 'name another place with --db, or for temporary files with TMPDIR';
export const cannotStore = () => 'cannot store what was read';
export const otherDisk = () => 'make room, or name another disk: TMPDIR for temporary files, --db for a kept one';
export const folderNotEmpty = (path: string) => `folder is not empty: ${quote(path)}`;
export const nameNewFolder = () => 'name a new folder for --parquet';

// Nightly
export const stateInUse = (path: string, holder: string) => `another run works on this state (${holder}): ${quote(path)}`;
export const waitLonger = () => 'wait for it, or let this run wait longer with lock-wait';
export const waiting = (path: string) => `another run works on ${quote(path)}; waiting for it`;
export const cannotOpenState = (path: string) => `cannot open the state: ${quote(path)}`;
export const rebuildState = () =>
  'if the file is beyond repair, stormgate nightly --rebuild makes it anew from the logs that are there';
export const noState = (path: string) => `not the state of nightly runs: ${quote(path)}`;
export const nameOtherState = () => 'name another file with the key "state"';
export const newerState = (path: string, version: number, known: number) =>
  `the state is of version ${version}, and this stormgate knows versions up to ${known}: ${quote(path)}`;
export const updateProgram = () => 'update stormgate, or name another file with the key "state"';
export const unreadable = (path: string, reason: string) =>
  `cannot read ${quote(path)}: ${reason}; its lines wait for the next run`;
export const keepsChanging = (source: string) =>
  `changed each time it was read: ${quote(source)}; its lines wait for the next run`;
export const vanished = (path: string, bytes: number) => `${quote(path)} is gone, and its last ${bytes} bytes were never read`;
export const rowsAreGone = (night: string) => `the rows of ${night} are no longer kept; its report stays as it is`;
export const initConfig = () => 'stormgate nightly --init writes one';
export const badConfig = (key: string) => `bad config: ${quote(key)}`;
export const expectedMapping = () => 'expected keys with values';
export const expectedText = () => 'expected a text or a number';
export const keyTwice = () => 'the same key is given twice, once with dashes and once with underscores';
export const sourceNeedsPath = () => 'a source needs a path';
export const noSources = () => 'no sources: name the logs to read';
export const expectedDays = () => 'give whole days, such as 14d';
export const windowShape = () => 'write yesterday, or hours such as last 24h';
export const datesShape = () => 'write two dates, such as 2026-11-01..2026-11-28';
export const configExists = (path: string) => `there is a config already: ${quote(path)}`;
export const nameOtherConfig = () => 'name another file with --config';
export const configWritten = (path: string) =>
  `wrote ${path}; name your logs in it, then: stormgate nightly --config ${path} --check\n`;
export const cannotNotify = (program: string) => `cannot notify: ${quote(program)}`;
export const endedWith = (code: number | null, signal: string | null) =>
  signal === null ? `it ended with ${code}` : `it was ended by ${signal}`;

interface NightlyPlan {
  config: string;
  night: string;
  since: string;
  until: string;
  hours: number;
  zone: string;
  due: readonly string[];
  files: readonly { path: string; bytes: number; isNew: boolean }[];
  contractNames: readonly string[];
  limits: readonly string[];
  notify: string | undefined;
  state: string;
  reports: string;
  metrics: string;
  readers: string;
  keepRowsDays: number;
  keepNightsDays: number;
}

/** Returns what a nightly run would do, one fact a line. */
export function nightlyPlan(plan: NightlyPlan): string {
  const { files } = plan;
  const news = files.filter(({ bytes }) => bytes > 0);
  const lines: [string, string][] = [
    ['config', plan.config],
    ['night', `${plan.night}: ${plan.since} to ${plan.until} (${plan.hours} h, ${plan.zone})`],
    ...(plan.due.length > 0 ? [['also due', plan.due.join(', ')] as [string, string]] : []),
    [
      'reads',
      news.length === 0
        ? 'nothing new'
        : `${news.reduce((sum, { bytes }) => sum + bytes, 0)} bytes of ${news.length} of ${files.length} logs`,
    ],
    ...news.map(({ path, bytes, isNew }): [string, string] => ['', `${path}: ${bytes} bytes${isNew ? ', not seen before' : ''}`]),
    ['contract', plan.contractNames.length === 0 ? 'inferred from the log' : plan.contractNames.join(', ')],
    ['limits', plan.limits.length === 0 ? 'none' : plan.limits.join(', ')],
    ...(plan.notify === undefined ? [] : [['notifies', plan.notify] as [string, string]]),
    ['writes', `${plan.reports}/${plan.night}/, index.html, latest; for: ${plan.readers}`],
    ['metrics', plan.metrics],
    ['state', `${plan.state}: rows for ${plan.keepRowsDays} days, nights for ${plan.keepNightsDays}`],
  ];
  return lines.map(([label, text]) => `${label.padEnd(10)}${text}\n`).join('');
}

export const nightDone = (night: string, lines: number, reported: readonly string[], folder: string) =>
  `night ${night}: ${lines} new lines, ${reported.length === 1 ? 'report' : `reports on ${reported.join(', ')}`} in ${folder}\n`;
export const clockShape = () => 'give hours and minutes such as 02:00';
export const cannotKeep = (path: string) => `cannot write the state: ${quote(path)}`;
export const nextRunRepairs = () => 'make room; the next run goes on from what was committed';

// Watching
export const watchCapped = (rows: number) => `more than ${rows} requests would have had to be held; the oldest were let go`;
export const watching = (requests: number, storms: number) => `${requests} requests, ${storms} storms now`;

interface EventStorm {
  kind: string;
  client: string;
  requests: number;
  avoidable: number;
  evidence: readonly { source: string; line: number }[];
}

/** Returns a storm that starts or ends as one line; the client's key comes escaped. */
export function stormEvent(
  event: 'start' | 'end',
  at: string | null,
  { kind, client, requests, avoidable, evidence }: EventStorm,
): string {
  const [first] = evidence;
  const place = first === undefined ? '' : ` (from ${first.source === '-' ? 'line' : quote(first.source)} ${first.line})`;
  return `${at ?? 'untimed'} ${event} ${kind} ${client}: ${requests} requests, ${avoidable} avoidable${place}\n`;
}
