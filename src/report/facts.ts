// The facts of a report as labels, values and phrases, in the order in which every renderer for people tells them.
import type { Evidence, Finding, Findings, InputSummary, Storm, StormTarget } from '../findings/findings.ts';
import { KINDS, type Kind } from '../record.ts';
import { bytes, count, duration, instant, noun, plural, range, share, span } from './numbers.ts';
import { join, phrase, quote, type Phrase } from './phrase.ts';
import { isHasty, levelsSeen, REFUSALS, requestsOf, undeclared } from './verdict.ts';

export interface Figure {
  label: string;
  value: string;
  note: string;
}

function figure(label: string, value: string | false, note: string): Figure {
  return value === false ? { label, value: '–', note: 'not visible in this log' } : { label, value, note };
}

/** Returns the key figures. A level that the log does not reveal has no figure, never a zero. */
export function figures(findings: Findings): Figure[] {
  const { requests, savings, visibility, clients, sessions } = findings;
  if (requests.total === 0) return [figure('requests', '0', '')];
  const isRefusalSeen = visibility.status || visibility.rpc_code || visibility.tool_error;
  const levels = levelsSeen(findings);
  const refused = requestsOf(findings, REFUSALS);
  const throttled = requestsOf(findings, ['throttled']);
  const transient = requestsOf(findings, ['transient']);
  const of = (n: number): string => `${share(n, requests.total)} of requests`;
  const asked = `${plural(clients.total, 'client')}, ${plural(sessions.total, 'session')}`;
  const bounds = savings.lower === savings.upper ? 'lower and upper bound agree' : 'lower to upper bound';
  return [
    figure('requests', count(requests.total), visibility.client ? asked : 'clients not visible in this log'),
    figure(
      'refused for good',
      isRefusalSeen && count(refused),
      refused > 0 || levels === '' ? of(refused) : `by ${levels} alone`,
    ),
    figure('avoidable', isRefusalSeen && range(savings.lower, savings.upper), bounds),
    figure('harm', isRefusalSeen && count(savings.harm), 'good answers a gate would lose'),
    figure('throttled', visibility.status && count(throttled), of(throttled)),
    figure('transient', visibility.status && count(transient), of(transient)),
  ];
}

const HIDDEN: readonly { level: keyof Findings['visibility']; what: string; hides: string }[] = [
  { level: 'status', what: 'HTTP status', hides: 'refusals and failures by status are not counted' },
  { level: 'rpc_code', what: 'JSON-RPC error code', hides: 'refusals inside an HTTP 200 are not counted' },
  { level: 'tool_error', what: 'tool result', hides: 'tool calls that failed under an HTTP 200 are not counted' },
  { level: 'time', what: 'time stamps', hides: 'the order is that of the lines, and nothing that depends on waiting is judged' },
  { level: 'client', what: 'client identity', hides: 'all requests of one input are taken for one client' },
];

export interface BlindSpot {
  what: string;
  hides: string;
}

/** Returns what the log could not show, and what that hides. */
export function blindSpots(findings: Findings): BlindSpot[] {
  if (findings.requests.total === 0) return [];
  const spots: BlindSpot[] = HIDDEN.filter(({ level }) => !findings.visibility[level]).map(({ what, hides }) => ({
    what,
    hides,
  }));
  const isPartlyTimed = findings.visibility.time && !findings.window.timed;
  return isPartlyTimed
    ? [...spots, { what: 'some time stamps', hides: 'requests without one keep the order of their lines' }]
    : spots;
}

/** Returns the time that the log covers. */
export function windowLine({ window }: Pick<Findings, 'window'>): string {
  if (window.start === null || window.end === null) return 'no time stamps';
  const seconds = (Date.parse(window.end) - Date.parse(window.start)) / 1000;
  return seconds < 1 ? instant(window.start) : `${span(window.start, window.end)} (${duration(seconds)})`;
}

/** Returns what the targets were judged against. */
export function contractLine({ contract }: Findings): Phrase {
  const targets = `${count(contract.declared)} declared, ${count(contract.undeclared)} undeclared, ${count(contract.unknown)} unknown ${noun(contract.unknown, 'target')}`;
  if (contract.source === 'none') return phrase`no contract: nothing says which targets exist`;
  if (contract.source === 'inferred') return phrase`inferred from the log: ${targets}`;
  return phrase`${join(
    contract.documents.map((document) => phrase`${quote(document)}`),
    ', ',
  )}: ${targets}`;
}

/** Returns how clients were told apart. */
export function clientLine({ clients, visibility }: Findings): string {
  return visibility.client ? `told apart by ${clients.key}` : 'not visible: one for each input';
}

/** Returns when a storm was, in words. */
export function stormTime(storm: Storm): string {
  if (storm.start_ts === null || storm.end_ts === null) return 'without time stamps';
  return `${span(storm.start_ts, storm.end_ts)}${storm.duration_s ? ` (${duration(storm.duration_s)})` : ''}`;
}

export interface Tally {
  n: number;
  label: string;
}

/** Returns a storm's requests, how many were refused (or failed), and what of them a gate (or a retry budget) sends and spares. */
export function stormTallies(storm: Storm): [Tally, Tally, Tally, Tally] {
  const { requests, refused, under_gate, avoidable } = storm;
  const all = { n: requests, label: noun(requests, 'request') };
  if (!isHasty(storm)) {
    return [
      all,
      { n: refused, label: 'refused' },
      { n: under_gate, label: 'under the gate' },
      { n: avoidable, label: 'avoidable' },
    ];
  }
  const beyond = requests - under_gate;
  return [
    all,
    { n: refused, label: 'failed' },
    { n: under_gate, label: 'within the retry budget' },
    { n: beyond, label: 'beyond it' },
  ];
}

const gateWords = (rows: readonly Pick<StormTarget, 'under_gate' | 'avoidable'>[]): string =>
  `${count(rows.reduce((sum, row) => sum + row.under_gate, 0))} under the gate, ${count(rows.reduce((sum, row) => sum + row.avoidable, 0))} avoidable`;

/** Returns a guessing storm's two parts, the guesses and the rest, each with its numbers; nothing where there is one part only. */
export function stormParts(storm: Storm): string[] {
  const guesses = undeclared(storm);
  const others = storm.targets.filter((target) => target.declared !== 'undeclared');
  if (storm.kind !== 'path_guessing' || guesses.length === 0 || others.length === 0) return [];
  return [[guesses, 'undeclared'] as const, [others, 'other'] as const].map(
    ([rows, which]) =>
      `${plural(
        rows.reduce((sum, row) => sum + row.requests, 0),
        'request',
      )} to ${which} targets: ${gateWords(rows)}`,
  );
}

/** Returns the place of a line: `access.log:812`. */
export function place({ source, line }: Evidence): string {
  return `${source}:${line}`;
}

/** Returns the first places, a source named once for the lines that follow on: `access.log:812, :845 and 3 more`. */
export function places(lines: readonly Evidence[], limit: number): Phrase {
  const named = lines
    .slice(0, limit)
    .map((line, i) => phrase`${lines[i - 1]?.source === line.source ? quote(`:${line.line}`) : quote(place(line), 80)}`);
  const more = lines.length - named.length;
  return more > 0 ? phrase`${join(named, ', ')} and ${count(more)} more` : join(named, ', ');
}

export interface SavingsRow {
  kind: Kind;
  requests: number;
  under_gate: number;
  avoidable: number;
  harm: number;
}

/** Returns the savings per kind, in the order of the kinds: refusals, and whatever else a gate would have held. */
export function savingsRows({ savings }: Findings): SavingsRow[] {
  return KINDS.flatMap((kind) => {
    const row = savings.by_kind[kind];
    const isTold = row && ((REFUSALS as readonly Kind[]).includes(kind) || row.avoidable > 0 || row.harm > 0);
    return isTold ? [{ kind, ...row }] : [];
  });
}

/** Returns what the two bounds of the savings count, and what they cost. */
export function boundsLine({ savings }: Findings): string {
  const repeats = 'repeats of what the contract or the protocol refused';
  const also = 'with unchanged repeats of wrong calls, dead sessions and refused credentials';
  const bounds =
    savings.lower === savings.upper
      ? `${count(savings.upper)}, all of them ${repeats}`
      : `at least ${count(savings.lower)}: ${repeats}; at most ${count(savings.upper)}: ${also}`;
  return `${savings.upper === 0 ? '0' : bounds}; harm ${count(savings.harm)}: good answers lost to refusals that did not hold`;
}

/** Returns what the savings amount to beyond requests; nothing where the log shows none of it. */
export function savingsLine({ savings }: Findings): string {
  return [
    savings.response_bytes > 0 && `${bytes(savings.response_bytes)} of answers`,
    savings.server_ms > 0 && `${duration(savings.server_ms / 1000)} of server time`,
    savings.client_wait_ms > 0 && `${duration(savings.client_wait_ms / 1000)} that clients waited`,
  ]
    .filter((part) => part !== false)
    .join(', ');
}

/** Returns how an input's lines are accounted for; the parts add up to its lines. */
export function inputLine(input: InputSummary): string {
  const parts: [number, string][] = [
    [input.records, noun(input.records, 'record')],
    [input.rejects, noun(input.rejects, 'reject')],
    [input.other, 'other'],
    [input.parts, noun(input.parts, 'part')],
    [input.duplicates, noun(input.duplicates, 'duplicate')],
  ];
  const named = parts.filter(([n], i) => n > 0 || i === 0).map(([n, word]) => `${count(n)} ${word}`);
  return `${plural(input.lines, 'line')} = ${named.join(' + ')}`;
}

const SAFE = /^[\w@%+=:,./-]+$/;

function shellWord(text: string): string {
  return SAFE.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function commandInputs(findings: Findings): string {
  const names = findings.inputs.map((input) => input.name);
  return names.length > 0 && names.length <= 3 ? names.map((name) => shellWord(name)).join(' ') : 'FILES…';
}

export interface NextStep {
  command: string;
  why: string;
}

/** Returns the commands that help from here, the most useful first. Their file names are log text. */
export function nextSteps(findings: Findings): NextStep[] {
  const inputs = commandInputs(findings);
  const [evidence] = findings.storms[0]?.evidence ?? findings.findings[0]?.evidence ?? [];
  if (findings.requests.total === 0) return [{ command: `stormgate formats`, why: 'the logs that can be read' }];
  return [
    evidence && { command: `stormgate explain ${shellWord(place(evidence))}`, why: 'why this line is judged so' },
    findings.rejects.total > 0 && {
      command: `stormgate report ${inputs} --rejects rejects.ndjson`,
      why: 'every line that was not understood',
    },
    { command: `stormgate report ${inputs} -o review.html`, why: 'the same as a page, with charts' },
  ].filter((step) => step !== undefined && step !== false);
}

/** Returns a finding's clients in one phrase, those that its title does not name. */
export function findingClients(finding: Finding): Phrase {
  const untold = finding.clients.filter((client) => !finding.title.includes(client));
  const named = untold.slice(0, 3).map((client) => phrase`${quote(client, 80)}`);
  const more = untold.length - named.length;
  return more > 0 ? phrase`${join(named, ', ')} and ${more} more` : join(named, ', ');
}
