// @ts-check
// From slices and a filter to the rows of every chart and table. The same functions draw the page when it is written and follow the
// reader in the browser, so this file is plain script: no imports, nothing of a browser.

/** Places in a row of requests. */
const [STEP, CLIENT, TARGET, KIND, HELD, FATE, STORM, N] = [0, 1, 2, 3, 4, 5, 6, 7];

/**
 * @typedef {object} Filter
 * @property {number | null} from microseconds; null for no bound
 * @property {number | null} to
 * @property {ReadonlySet<number>} kinds empty for all
 * @property {ReadonlySet<number>} clients
 * @property {ReadonlySet<number>} targets
 * @property {ReadonlySet<number>} storms
 * @property {string} text found in a client's or a target's name
 */

/**
 * @typedef {object} Data
 * @property {number} bucket_us
 * @property {number[]} steps
 * @property {string[]} clients names, the last for all others
 * @property {string[]} targets names, the last for all others
 * @property {string[]} kinds
 * @property {number[]} refusals places of the kinds that refuse for good
 * @property {number[]} authoritative places of the kinds whose savings are certain
 * @property {number[]} failures places of the kinds that fail for the moment
 * @property {number[][]} requests
 * @property {number[][]} retries
 * @property {number[][]} attempts
 */

/** @returns {Filter} the filter that lets everything through */
export function everything() {
  return { from: null, to: null, kinds: new Set(), clients: new Set(), targets: new Set(), storms: new Set(), text: '' };
}

/** @param {Filter} filter @returns {boolean} whether the filter leaves anything out */
export function isFiltering({ from, to, kinds, clients, targets, storms, text }) {
  return from !== null || to !== null || kinds.size + clients.size + targets.size + storms.size > 0 || text !== '';
}

/** @param {ReadonlySet<number>} chosen @param {number | undefined} value */
const has = (chosen, value) => chosen.size === 0 || chosen.has(value ?? -1);

/**
 * The part of the filter that requests, retries and attempts share: when, who, what.
 * @param {Data} data @param {Filter} filter @returns {(row: readonly number[]) => boolean}
 */
function placeTest({ steps, bucket_us, clients, targets }, { from, to, clients: who, targets: what, text }) {
  const needle = text.toLowerCase();
  /** @param {string} name @param {number} i @param {string[]} names */
  const found = (name, i, names) => i < names.length - 1 && name.toLowerCase().includes(needle);
  const clientFound = clients.map(found);
  const targetFound = targets.map(found);
  return (row) => {
    const [step = -1, client = 0, target = 0] = row;
    if (from !== null || to !== null) {
      const start = steps[step];
      if (start === undefined || (from !== null && start + bucket_us <= from) || (to !== null && start >= to)) return false;
    }
    return (
      has(who, client) && has(what, target) && (needle === '' || clientFound[client] === true || targetFound[target] === true)
    );
  };
}

/** @param {Data} data @param {Filter} filter @returns {number[][]} the rows of requests that the filter lets through */
export function requestsIn(data, filter) {
  const isPlaced = placeTest(data, filter);
  return data.requests.filter((row) => isPlaced(row) && has(filter.kinds, row[KIND]) && has(filter.storms, row[STORM]));
}

/** @param {Data} data @param {Filter} filter @returns {number[][]} */
export function retriesIn(data, filter) {
  const isPlaced = placeTest(data, filter);
  return data.retries.filter((row) => isPlaced(row) && has(filter.kinds, row[KIND]));
}

/** @param {Data} data @param {Filter} filter @returns {number[][]} */
export function attemptsIn(data, filter) {
  const isPlaced = placeTest(data, filter);
  return data.attempts.filter(isPlaced);
}

/** @param {readonly number[][]} rows @param {(row: readonly number[]) => boolean} [test] */
function sum(rows, test = () => true) {
  let total = 0;
  for (const row of rows) if (test(row)) total += row[N] ?? 0;
  return total;
}

const AVOIDABLE = 1;
const HARM = 2;
const OVERRUN = 3;

/** @param {Data} data @param {readonly number[][]} rows @returns {Record<string, number>} the key figures by name */
export function figuresOf({ refusals, authoritative, kinds }, rows) {
  const kind = (/** @type {string} */ name) => sum(rows, (row) => kinds[row[KIND] ?? -1] === name);
  return {
    requests: sum(rows),
    refused: sum(rows, (row) => refusals.includes(row[KIND] ?? -1)),
    lower: sum(rows, (row) => row[FATE] === AVOIDABLE && authoritative.includes(row[HELD] ?? -1)),
    upper: sum(rows, (row) => row[FATE] === AVOIDABLE),
    harm: sum(rows, (row) => row[FATE] === HARM),
    overrun: sum(rows, (row) => row[FATE] === OVERRUN),
    throttled: kind('throttled'),
    transient: kind('transient'),
  };
}

/**
 * @param {readonly number[][]} rows @param {number} column @param {Data} data
 * @returns {Map<number, { requests: number, refused: number, failed: number, answered: number, avoidable: number, harm: number, overrun: number }>} totals by client, target or storm
 */
export function totalsBy(rows, column, { refusals, failures }) {
  /** @type {ReturnType<typeof totalsBy>} */
  const totals = new Map();
  for (const row of rows) {
    const key = row[column] ?? -1;
    const n = row[N] ?? 0;
    const total = totals.get(key) ?? { requests: 0, refused: 0, failed: 0, answered: 0, avoidable: 0, harm: 0, overrun: 0 };
    total.requests += n;
    if (refusals.includes(row[KIND] ?? -1)) total.refused += n;
    else if (failures.includes(row[KIND] ?? -1)) total.failed += n;
    else if (row[KIND] === 0) total.answered += n;
    if (row[FATE] === AVOIDABLE) total.avoidable += n;
    if (row[FATE] === HARM) total.harm += n;
    if (row[FATE] === OVERRUN) total.overrun += n;
    totals.set(key, total);
  }
  return totals;
}

export const COLUMNS = { client: CLIENT, target: TARGET, storm: STORM };

/**
 * Counts by two columns.
 * @param {readonly number[][]} rows @param {number} one @param {number} other @returns {[number, number, number][]} in the order of both
 */
function cross(rows, one, other) {
  /** @type {Map<number, [number, number, number]>} */
  const counts = new Map();
  for (const row of rows) {
    const [a, b, n] = [row[one] ?? -1, row[other] ?? -1, row[N] ?? 0];
    const key = a * 10_000 + b;
    const count = counts.get(key);
    if (count === undefined) counts.set(key, [a, b, n]);
    else count[2] += n;
  }
  return [...counts.values()].toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** @param {Data} data @param {readonly number[][]} rows @returns {{ ts: number, kind: string, requests: number }[]} */
export function requestsOverTime({ steps, kinds }, rows) {
  return cross(
    rows.filter((row) => (row[STEP] ?? -1) >= 0),
    STEP,
    KIND,
  ).map(([step, kind, requests]) => ({ ts: steps[step] ?? 0, kind: kinds[kind] ?? '', requests }));
}

/**
 * Rows of one moment lie on each other in the order of the kinds.
 * @param {readonly { ts: number, kind: string, requests: number }[]} rows @param {number} bucket_us
 */
export function stacked(rows, bucket_us) {
  const tops = new Map();
  return rows.map(({ ts, kind, requests }) => {
    const base = tops.get(ts) ?? 0;
    tops.set(ts, base + requests);
    return { start: ts / 1000, end: (ts + bucket_us) / 1000, kind, requests, base, top: base + requests };
  });
}

/** @param {readonly string[]} names @returns {(row: { kind: string }) => boolean} whether a row is of a kind that the upper panel shows */
export function isKindOf(names) {
  return ({ kind }) => names.includes(kind);
}

/**
 * What was sent and what of it under a gate, by the kind that holds it, else its own.
 * @param {Data} data @param {readonly number[][]} rows
 * @returns {{ kind: string, requests: number, under_gate: number, avoidable: number, harm: number }[]}
 */
export function savingsBy({ kinds, refusals }, rows) {
  return kinds.flatMap((kind, k) => {
    const own = rows.filter((row) => ((row[HELD] ?? -1) >= 0 ? row[HELD] : row[KIND]) === k);
    const requests = sum(own);
    const avoidable = sum(own, (row) => row[FATE] === AVOIDABLE);
    const harm = sum(own, (row) => row[FATE] === HARM);
    const isTold = requests > 0 && (refusals.includes(k) || avoidable > 0 || harm > 0);
    return isTold ? [{ kind, requests, under_gate: requests - avoidable - harm, avoidable, harm }] : [];
  });
}

/** @param {Data} data @param {readonly number[][]} rows the lanes of clients over time */
export function laneMarks({ steps, bucket_us, kinds, clients }, rows) {
  /** @type {Map<string, { at: number, lane: string, kind: string, requests: number }>} */
  const marks = new Map();
  for (const row of rows) {
    const start = steps[row[STEP] ?? -1];
    if (start === undefined) continue;
    const [lane, kind] = [clients[row[CLIENT] ?? -1] ?? '', kinds[row[KIND] ?? -1] ?? ''];
    const key = `${start} ${row[CLIENT]} ${kind}`;
    const mark = marks.get(key);
    if (mark === undefined) marks.set(key, { at: (start + bucket_us / 2) / 1000, lane, kind, requests: row[N] ?? 0 });
    else mark.requests += row[N] ?? 0;
  }
  return [...marks.values()];
}

/** @param {Data} data @param {readonly number[][]} rows refusals for good by client and target */
export function refusalCells({ clients, targets, refusals }, rows) {
  const refused = rows.filter((row) => refusals.includes(row[KIND] ?? -1));
  return cross(refused, CLIENT, TARGET).map(([client, target, requests]) => ({
    client: clients[client] ?? '',
    target: targets[target] ?? '',
    requests,
  }));
}

/** @param {Data} data @param {readonly number[][]} retries waits before retries, by class */
export function waitMarks({ kinds }, retries) {
  /** @type {Map<string, { retry: number, wait: number, kind: string, retries: number, early: number }>} */
  const marks = new Map();
  for (const [, , , kind = 0, retry = 0, ms = 0, n = 0, early = 0] of retries) {
    const key = `${kind} ${retry} ${ms}`;
    const mark = marks.get(key);
    if (mark === undefined)
      marks.set(key, { retry, wait: ms === 0 ? 5.5 : ms * 1.76, kind: kinds[kind] ?? '', retries: n, early });
    else {
      mark.retries += n;
      mark.early += early;
    }
  }
  return [...marks.values()].toSorted((a, b) => a.retry - b.retry || a.wait - b.wait);
}

/** @param {readonly number[][]} attempts operations by the attempts they took */
export function attemptBars(attempts) {
  /** @type {Map<number, number>} */
  const bars = new Map();
  for (const [, , , n = 0, operations = 0] of attempts) bars.set(n, (bars.get(n) ?? 0) + operations);
  return [...bars]
    .toSorted(([a], [b]) => a - b)
    .map(([n, operations]) => ({ attempts: n, operations, fate: n > 4 ? 'beyond' : 'within' }));
}

/** @param {Data} data @param {readonly number[][]} rows answers of targets that were ever refused, refused and answered beside each other */
export function stabilityBars(data, rows) {
  const totals = [...totalsBy(rows, TARGET, data)].filter(([, { refused }]) => refused > 0);
  return totals.map(([target, { refused, answered }]) => ({
    target: data.targets[target] ?? '',
    refused,
    answered,
    share: refused / (refused + answered),
  }));
}

/** @param {number} n */
const count = (n) => n.toLocaleString('en-US');

/**
 * @typedef {object} GateRow
 * @property {string} name
 * @property {string} words
 * @property {string} colour
 * @property {number} sent
 * @property {number} least sent under the gate at least, and at most
 * @property {number} most
 * @property {number} harm
 */

/**
 * What was sent against what a gate would have sent: all kinds, then each.
 * @param {readonly { kind: string, requests: number, under_gate: number, harm: number }[]} rows
 * @param {number} doubt how much more it may have sent
 * @param {Readonly<Record<string, string>>} colours by kind, and `all`
 * @returns {GateRow[]}
 */
export function gateRows(rows, doubt, colours) {
  const all = { kind: 'all', requests: 0, under_gate: 0, harm: 0 };
  for (const { requests, under_gate, harm } of rows) {
    all.requests += requests;
    all.under_gate += under_gate;
    all.harm += harm;
  }
  return [all, ...rows].map(({ kind, requests, under_gate, harm }) => {
    const most = kind === 'all' ? under_gate + doubt : under_gate;
    const span = most === under_gate ? count(most) : `${count(under_gate)}–${count(most)}`;
    return {
      name: kind,
      words: `${kind}: ${count(requests)} sent, ${span} under the gate${harm > 0 ? `, harm ${count(harm)}` : ''}`,
      colour: colours[kind] ?? '',
      sent: requests,
      least: under_gate,
      most,
      harm,
    };
  });
}
