// The definitions of design 9 as a person would count them: one client at a time, one request after the other, no SQL in sight.
import type { Kind, Lift, MemoryFamily, ProbeRole } from '../../src/record.ts';
import type { StormKind } from '../../src/findings/findings.ts';

export interface Asked {
  client: string;
  /** Rank of the source, line, part: the order of requests that start together. */
  source: number;
  line: number;
  part: number;
  ts: number | null;
  duration_us: number | null;
  session: string | null;
  operation: string;
  retry_after_ms: number | null;
  target: {
    authority: string | null;
    http_method: string;
    path: string;
    rpc_method: string | null;
    endpoint: string | null;
    role: ProbeRole;
    step: number;
    gives: Lift;
    isUndeclaredGuess: boolean;
    isScanner: boolean;
  };
  answer: {
    kind: Kind;
    family: MemoryFamily;
    liftedBy: Lift;
    need: number;
    isGood: boolean;
    /** Kind `ok` with a status from 200 to 299. */
    isSuccess: boolean;
    isStream: boolean;
    isRedirect: boolean;
  };
}

export interface Thresholds {
  session_gap_s: number;
  refusal_memory_s: number;
  retry_budget: number;
  retry_after_slack_ms: number;
  path_guessing_min_paths: number;
  path_guessing_min_undeclared: number;
  stale_session_min_refusals: number;
  reinitialize_loop_min_handshakes: number;
  auth_loop_window_s: number;
  auth_loop_min_repeats: number;
  auth_loop_min_cycles: number;
  throttle_hammering_min_retries: number;
  transient_hammering_min_retries: number;
  redirect_loop_min_requests: number;
  refused_repeat_min_repeats: number;
  semantic_repeat_min_repeats: number;
  reconnect_loop_min_requests: number;
  reconnect_loop_gap_ms: number;
}

export type Outcome = 'under_gate' | 'avoidable' | 'harm';

export interface Judged {
  asked: Asked;
  at: number;
  end: number;
  episode: number;
  session: string;
  isSanctioned: boolean;
  outcome: Outcome;
  /** The memory that holds it, and the kind of the refusal that opened it. */
  held: { family: MemoryFamily; liftedBy: Lift; kind: Kind } | null;
  isAmbiguousRepeat: boolean;
  isAvoidableFirst: boolean;
  retry: { number: number; stretch: number; after: Kind; isEarly: boolean; isFlat: boolean } | null;
  isOverrun: boolean;
  storm: StormKind | null;
}

const UNTIMED = 9e15;
const FAMILIES: readonly MemoryFamily[] = ['authoritative', 'semantic', 'corrective', 'auth', 'ambiguous'];
const LIFTS: readonly Lift[] = ['none', 'rpc_read', 'document_read', 'token', 'handshake'];

/** Returns every request that is no noise, judged, in the order of its client. */
export function judgeHistory(history: readonly Asked[], thresholds: Thresholds): Judged[] {
  const clients = new Map<string, Judged[]>();
  for (const asked of history) {
    if (asked.answer.kind === 'noise') continue;
    const own = clients.get(asked.client) ?? [];
    own.push(unjudged(asked));
    clients.set(asked.client, own);
  }
  for (const own of clients.values()) {
    own.sort(inOrder);
    cutEpisodes(own, thresholds);
    assignSessions(own);
    markSanctioned(own);
    replay(own, thresholds);
    countRetries(own, thresholds);
    findStorms(own, thresholds);
  }
  return [...clients.values()].flat();
}

function unjudged(asked: Asked): Judged {
  const at = asked.ts ?? UNTIMED;
  return {
    asked,
    at,
    end: at + (asked.duration_us ?? 0),
    episode: 0,
    session: '',
    isSanctioned: false,
    outcome: 'under_gate',
    held: null,
    isAmbiguousRepeat: false,
    isAvoidableFirst: false,
    retry: null,
    isOverrun: false,
    storm: null,
  };
}

function inOrder(a: Judged, b: Judged): number {
  return a.at - b.at || a.asked.source - b.asked.source || a.asked.line - b.asked.line || a.asked.part - b.asked.part;
}

function cutEpisodes(own: readonly Judged[], { session_gap_s }: Thresholds): void {
  let previous: Judged | undefined;
  for (const each of own) {
    each.episode = previous === undefined || each.at - previous.at > session_gap_s * 1e6 ? each.at : previous.episode;
    previous = each;
  }
}

/** Without an id: the next session id to appear in the episode, else the one that appeared last, else the episode itself. */
function assignSessions(own: readonly Judged[]): void {
  for (const each of own) {
    if (each.asked.session !== null) {
      each.session = each.asked.session;
      continue;
    }
    const first = new Map<string, number>();
    for (const { asked, at, episode } of own) {
      if (episode === each.episode && asked.session !== null && !first.has(asked.session)) first.set(asked.session, at);
    }
    const starts = [...first].toSorted(([a, x], [b, y]) => x - y || Number(a) - Number(b));
    const next = starts.find(([, at]) => at >= each.at) ?? starts.at(-1);
    each.session = next?.[0] ?? `episode ${each.episode}`;
  }
}

function isExempt({ target }: Asked): boolean {
  return target.role === 'noise' || target.http_method === 'OPTIONS';
}

function markSanctioned(own: readonly Judged[]): void {
  const families = new Map<string, { step: number; isGood: boolean; run: number }>();
  for (const each of own) {
    const { target, answer } = each.asked;
    if (['none', 'noise', 'health', 'poll'].includes(target.role) || isExempt(each.asked)) continue;
    const key = JSON.stringify([each.session, target.role, target.endpoint ?? `authority ${target.authority}`]);
    const last = families.get(key);
    const isNew = last !== undefined && (target.step <= last.step || last.isGood);
    const run = (last?.run ?? 0) + (isNew ? 1 : 0);
    families.set(key, { step: target.step, isGood: answer.isGood, run });
    each.isSanctioned = run === 0;
  }
}

interface Run {
  operation: string;
  authority: string | null;
  family: MemoryFamily;
  liftedBy: Lift;
  need: number;
  refusals: Judged[];
}

function replay(own: readonly Judged[], { refusal_memory_s }: Thresholds): void {
  let runs: Run[] = [];
  const reads: (string | null)[] = [];
  for (const each of own) {
    if (isExempt(each.asked)) continue;
    const { operation, target, answer } = each.asked;
    const period = (run: Run, at: number) => Math.floor((at - (run.refusals[0] as Judged).at) / (refusal_memory_s * 1e6));
    const holding = runs
      .filter((run) => run.operation === operation)
      .map((run) => ({ run, earlier: run.refusals.filter((refusal) => period(run, refusal.at) === period(run, each.at)) }))
      .filter(({ run, earlier }) => earlier.length >= run.need && earlier.some(({ end }) => end <= each.at))
      .toSorted((a, b) => strength(a.run) - strength(b.run));
    const [strongest] = holding;
    if (strongest !== undefined) hold(each, strongest.run, strongest.earlier);
    else if (answer.kind === 'interface_not_declared' && !each.isSanctioned) {
      each.isAvoidableFirst = reads.some((authority) => agrees(authority, target.authority));
    }
    if (answer.isGood) {
      runs = runs.filter((run) => run.operation !== operation && !isLifted(run, each.asked));
      if (givenLifts(each.asked).some((lift) => lift === 'rpc_read' || lift === 'document_read')) reads.push(target.authority);
    }
    if (answer.family === 'none') continue;
    const { family, liftedBy, need } = answer;
    const run = runs.find(
      (known) => known.operation === operation && known.family === family && known.liftedBy === liftedBy && known.need === need,
    );
    if (run === undefined) runs.push({ operation, authority: target.authority, family, liftedBy, need, refusals: [each] });
    else run.refusals.push(each);
  }
}

/** Smaller is stronger. */
function strength({ family, liftedBy, need }: Run): number {
  return FAMILIES.indexOf(family) * 100 + LIFTS.indexOf(liftedBy) * 10 + need;
}

function hold(each: Judged, { family, liftedBy }: Run, [opener]: readonly Judged[]): void {
  const { isGood, family: ownFamily } = each.asked.answer;
  each.held = { family, liftedBy, kind: (opener as Judged).asked.answer.kind };
  if (isGood) each.outcome = family === 'authoritative' || family === 'semantic' ? 'harm' : 'under_gate';
  else each.outcome = family === 'ambiguous' ? 'under_gate' : 'avoidable';
  each.isAmbiguousRepeat = family === 'ambiguous' && ownFamily === 'ambiguous';
}

function givenLifts({ target }: Asked): Lift[] {
  return target.role === 'initialize' || target.gives === 'handshake' ? ['handshake', 'rpc_read'] : [target.gives];
}

function isLifted(run: Run, asked: Asked): boolean {
  if (run.liftedBy === 'none' || !givenLifts(asked).includes(run.liftedBy)) return false;
  return run.liftedBy === 'token' || agrees(run.authority, asked.target.authority);
}

function agrees(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}

interface Tries {
  last: Judged;
  retries: number;
  stretch: number;
  lastThrottledWait: number | null;
}

function isFailure({ asked }: Judged): boolean {
  return (asked.answer.kind === 'throttled' || asked.answer.kind === 'transient') && !isExempt(asked);
}

function countRetries(own: readonly Judged[], thresholds: Thresholds): void {
  const operations = new Map<string, Tries>();
  for (const each of own) {
    const known = operations.get(each.asked.operation);
    const tries = known?.last.episode === each.episode ? known : undefined;
    const state: Tries = { last: each, retries: 0, stretch: 0, lastThrottledWait: null, ...tries };
    if (tries !== undefined && isFailure(tries.last) && tries.last.end <= each.at) {
      const wait = each.at - tries.last.end;
      const asked = tries.last.asked.retry_after_ms;
      const isThrottled = tries.last.asked.answer.kind === 'throttled';
      const isTimed = each.asked.ts !== null;
      state.retries += 1;
      each.retry = {
        number: state.retries,
        stretch: state.stretch,
        after: tries.last.asked.answer.kind,
        isEarly: isTimed && isThrottled && asked !== null && wait < (asked - thresholds.retry_after_slack_ms) * 1000,
        isFlat: isTimed && isThrottled && asked === null && state.lastThrottledWait !== null && wait <= state.lastThrottledWait,
      };
      if (isThrottled) state.lastThrottledWait = wait;
      each.isOverrun = state.retries > thresholds.retry_budget && !each.asked.answer.isGood && each.outcome !== 'avoidable';
    }
    state.last = each;
    if (each.asked.answer.isGood) Object.assign(state, { retries: 0, stretch: state.stretch + 1, lastThrottledWait: null });
    operations.set(each.asked.operation, state);
  }
}

function findStorms(own: readonly Judged[], thresholds: Thresholds): void {
  const episodes = [...new Set(own.map((each) => each.episode))].map((episode) => own.filter((each) => each.episode === episode));
  for (const all of episodes) guessPaths(all, thresholds);
  reuseDeadSessions(own, thresholds);
  loopHandshakes(own, thresholds);
  loopAuth(own, thresholds);
  for (const all of episodes) {
    hammerThrottled(all, thresholds);
    hammerTransient(all, thresholds);
    loopRedirects(all, thresholds);
    repeatRefusals(
      all,
      'refused_repeat',
      thresholds.refused_repeat_min_repeats,
      (family) => family === 'authoritative',
      () => true,
    );
    repeatRefusals(
      all,
      'semantic_repeat',
      thresholds.semantic_repeat_min_repeats,
      (family, liftedBy) => family === 'semantic' || (family === 'corrective' && liftedBy !== 'handshake'),
      (each) =>
        !all.some(
          (later) => inOrder(later, each) > 0 && later.asked.operation === each.asked.operation && later.asked.answer.isGood,
        ),
    );
    loopStreams(all, thresholds);
  }
}

/** A handshake is fruitless if no RPC request follows it on its endpoint, or if the last one to follow it is refused. */
function loopHandshakes(own: readonly Judged[], { reinitialize_loop_min_handshakes: least }: Thresholds): void {
  const open = new Map<string, { handshake: Judged; last: Judged }>();
  const fruitless: Judged[] = [];
  const end = (endpoint: string) => {
    const { handshake, last } = open.get(endpoint) ?? {};
    if (handshake === undefined || last === undefined || handshake.storm !== null) return;
    const isRefused = FAMILIES.slice(0, 4).includes(last.asked.answer.family) && !isExempt(last.asked);
    if (last === handshake || isRefused) fruitless.push(handshake);
  };
  for (const each of own) {
    const { rpc_method, endpoint } = each.asked.target;
    if (endpoint === null || rpc_method === null || rpc_method === 'notifications/initialized') continue;
    const used = open.get(endpoint);
    if (each.asked.answer.isGood && givenLifts(each.asked).includes('handshake')) {
      end(endpoint);
      open.set(endpoint, { handshake: each, last: each });
    } else if (used !== undefined) used.last = each;
  }
  for (const endpoint of open.keys()) end(endpoint);
  for (const episode of new Set(fruitless.map((each) => each.episode))) {
    const all = fruitless.filter((each) => each.episode === episode);
    if (all.length >= least) claim(all, 'reinitialize_loop');
  }
}

function loopRedirects(all: readonly Judged[], { redirect_loop_min_requests: least }: Thresholds): void {
  const isAnswered = (operation: string) => all.some(({ asked }) => asked.operation === operation && asked.answer.isGood);
  const taken = new Map<string, Judged[][]>();
  for (const [index, each] of all.entries()) {
    const next = all[index + 1];
    if (!each.asked.answer.isRedirect || each.storm !== null || next === undefined || next.storm !== null) continue;
    if (isAnswered(next.asked.operation)) continue;
    const key = `${each.asked.operation} ${next.asked.operation}`;
    taken.set(key, [...(taken.get(key) ?? []), [each, next]]);
  }
  for (const times of taken.values()) if (times.length >= least) claim(times.flat(), 'redirect_loop');
}

function loopStreams(all: readonly Judged[], thresholds: Thresholds): void {
  const opened = new Map<string, Judged[]>();
  for (const each of all) {
    const { target, answer, operation, ts } = each.asked;
    const isStream = target.http_method === 'GET' && answer.isSuccess && (target.endpoint !== null || answer.isStream);
    if (isStream && ts !== null && each.storm === null) opened.set(operation, [...(opened.get(operation) ?? []), each]);
  }
  for (const streams of opened.values()) {
    const near = streams.filter(
      ({ at }, index) => at - (streams[index - 1]?.at ?? -Infinity) <= thresholds.reconnect_loop_gap_ms * 1000,
    );
    if (streams.length >= thresholds.reconnect_loop_min_requests && near.length * 2 >= streams.length - 1)
      claim(streams, 'reconnect_loop');
  }
}

function reuseDeadSessions(own: readonly Judged[], { stale_session_min_refusals: least }: Thresholds): void {
  for (const endpoint of new Set(own.map(({ asked }) => asked.target.endpoint))) {
    if (endpoint === null) continue;
    let refusals: Judged[] | null = null;
    const end = () => {
      if (refusals !== null && refusals.length >= least) claim(refusals, 'stale_session');
    };
    for (const each of own.filter(({ asked }) => asked.target.endpoint === endpoint)) {
      const { answer } = each.asked;
      if (answer.isGood) {
        if (givenLifts(each.asked).includes('handshake')) end();
        refusals = [];
      } else if (
        answer.family === 'corrective' &&
        answer.liftedBy === 'handshake' &&
        !isExempt(each.asked) &&
        each.storm === null
      ) {
        refusals?.push(each);
      }
    }
    end();
  }
}

/** A cycle is an auth refusal of an operation that was refused so before a token came, with no good answer since. */
function loopAuth(own: readonly Judged[], thresholds: Thresholds): void {
  const isRefusal = ({ asked }: Judged) => asked.answer.family === 'auth' && !isExempt(asked);
  const cycles = new Set<Judged>();
  const refusedBefore = new Map<string, number>();
  let tokens = 0;
  for (const each of own) {
    const { operation, answer, target } = each.asked;
    if (isRefusal(each)) {
      if ((refusedBefore.get(operation) ?? tokens) < tokens) cycles.add(each);
      refusedBefore.set(operation, tokens);
    }
    if (answer.isGood) refusedBefore.delete(operation);
    if (answer.isGood && target.gives === 'token' && !isExempt(each.asked)) tokens += 1;
  }
  const first = own.find(isRefusal);
  if (first === undefined) return;
  const isRepeat = (each: Judged) => each.outcome === 'avoidable' && each.held?.family === 'auth' && !each.isSanctioned;
  const units = new Map<number, Judged[]>();
  for (const each of own) {
    if (each.storm !== null || each.at < first.at || !(isRefusal(each) || isRepeat(each))) continue;
    const unit = Math.floor((each.at - first.at) / (thresholds.auth_loop_window_s * 1e6));
    units.set(unit, [...(units.get(unit) ?? []), each]);
  }
  for (const unit of units.values()) {
    const repeats = unit.filter(isRepeat);
    const turns = unit.filter((each) => cycles.has(each));
    const counted = [
      ...(repeats.length >= thresholds.auth_loop_min_repeats ? repeats : []),
      ...(turns.length >= thresholds.auth_loop_min_cycles ? turns : []),
    ];
    const operations = new Set(counted.map(({ asked }) => asked.operation));
    claim(
      unit.filter(({ asked }) => operations.has(asked.operation)),
      'auth_loop',
    );
  }
}

function claim(requests: readonly Judged[], kind: StormKind): void {
  for (const each of requests) each.storm ??= kind;
}

function guessPaths(all: readonly Judged[], thresholds: Thresholds): void {
  const refused = all.filter(
    ({ asked }) => asked.answer.family === 'authoritative' && !isExempt(asked) && !asked.target.isScanner,
  );
  const pathsOf = (some: readonly Judged[]) =>
    new Set(some.map(({ asked }) => `${asked.target.http_method} ${asked.target.path}`)).size;
  const guesses = refused.filter(({ asked, isSanctioned }) => asked.target.isUndeclaredGuess && !isSanctioned);
  if (pathsOf(refused) < thresholds.path_guessing_min_paths || pathsOf(guesses) < thresholds.path_guessing_min_undeclared) return;
  claim(refused, 'path_guessing');
}

function hammerThrottled(all: readonly Judged[], { throttle_hammering_min_retries: least }: Thresholds): void {
  const free = all.filter(({ storm }) => storm === null);
  const early = free.filter(({ retry }) => retry?.isEarly);
  const flat = free.filter(({ retry }) => retry?.isFlat);
  const manyEarly = early.length >= least ? early : [];
  const sameStretch = (a: Judged, b: Judged) => a.asked.operation === b.asked.operation && a.retry?.stretch === b.retry?.stretch;
  const manyFlat = flat.filter((each) => flat.filter((other) => sameStretch(each, other)).length >= least);
  const flatOperations = new Set(manyFlat.map(({ asked }) => asked.operation));
  const operations = new Set([...manyEarly, ...manyFlat].map(({ asked }) => asked.operation));
  const counted = new Set([...manyEarly, ...flat.filter(({ asked }) => flatOperations.has(asked.operation))]);
  claim(
    free.filter(
      (each) =>
        counted.has(each) || (operations.has(each.asked.operation) && isFailure(each) && each.asked.answer.kind === 'throttled'),
    ),
    'throttle_hammering',
  );
}

function hammerTransient(all: readonly Judged[], { transient_hammering_min_retries: least }: Thresholds): void {
  const free = all.filter(({ storm }) => storm === null);
  const counted = free.filter(({ isOverrun, retry }) => isOverrun && retry?.after === 'transient');
  if (counted.length < least) return;
  const operations = new Set(counted.map(({ asked }) => asked.operation));
  const failed = free.filter(
    (each) => operations.has(each.asked.operation) && isFailure(each) && each.asked.answer.kind === 'transient',
  );
  claim([...counted, ...failed], 'transient_hammering');
}

function repeatRefusals(
  all: readonly Judged[],
  kind: StormKind,
  least: number,
  isOf: (family: MemoryFamily, liftedBy: Lift) => boolean,
  counts: (each: Judged) => boolean,
): void {
  const free = all.filter(({ storm }) => storm === null);
  const isRepeat = (each: Judged) =>
    each.outcome === 'avoidable' && !each.isSanctioned && each.held !== null && isOf(each.held.family, each.held.liftedBy);
  const counted = free.filter((each) => isRepeat(each) && counts(each));
  if (counted.length < least) return;
  const operations = new Set(counted.map(({ asked }) => asked.operation));
  const isRefusal = ({ asked }: Judged) => !isExempt(asked) && isOf(asked.answer.family, asked.answer.liftedBy);
  claim(
    free.filter((each) => operations.has(each.asked.operation) && (isRefusal(each) || isRepeat(each))),
    kind,
  );
}
