// The steps against the gate library: where an operation has one usual refusal or failure, both hold back the same requests.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_RETRIES, ProtocolRefusalGate, RetryBudgetExhaustedError, type ResponseSignal } from '../../src/gate/index.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { listSettings, runSteps } from '../../src/store/steps.ts';
import { storeHistory, tell, type AnswerName, type TargetName, type Told } from '../support/histories.ts';
import { between, pick, seeded } from '../support/stories/random.ts';

/** The standard signal of each gate kind. */
const SIGNALS = {
  unsupported: { status: 405, rpcCode: null, interfaceDeclared: true },
  undeclared: { status: 404, rpcCode: null, interfaceDeclared: false },
  throttled: { status: 429, rpcCode: null, interfaceDeclared: true },
  failed: { status: 503, rpcCode: null, interfaceDeclared: true },
  invalid: { status: 400, rpcCode: null, interfaceDeclared: true },
  conflict: { status: 400, rpcCode: null, interfaceDeclared: true },
} as const satisfies Partial<Record<AnswerName, ResponseSignal>>;
type Unwelcome = keyof typeof SIGNALS;

const USUAL = Object.keys(SIGNALS) as [Unwelcome, ...Unwelcome[]];
const TARGETS = ['item', 'guess', 'guess_b', 'call'] as const satisfies readonly TargetName[];
const CLIENTS = 1000;

/** Short histories of one episode without overlaps: within them neither a day nor a session ends a memory. */
function usualHistories(): Told[] {
  const random = seeded('usual answers');
  return Array.from({ length: CLIENTS }, (_, client): Told[] => {
    const usual = new Map(TARGETS.map((name) => [name, pick(random, USUAL)]));
    let seconds = 0;
    return Array.from({ length: between(random, 2, 30) }, (): Told => {
      seconds += between(random, 0, 30);
      const target = pick(random, TARGETS);
      return [seconds, target, random() < 0.15 ? 'ok' : (usual.get(target) as Unwelcome), { client: String(client + 1) }];
    });
  }).flat();
}

/** Returns the lines that a client with the gate would not have sent. */
function heldByGate(told: readonly Told[]): number[] {
  const gate = new ProtocolRefusalGate();
  const isAllowed = new Map<string, boolean>();
  return told.flatMap(([, target, answer, more], index) => {
    const key = `${more?.client} ${target}`;
    const isHeld = isAllowed.get(key) === false;
    if (answer === 'ok') gate.succeed(key);
    isAllowed.set(key, answer === 'ok' || allows(gate, key, SIGNALS[answer as Unwelcome]));
    return isHeld ? [index + 1] : [];
  });
}

function allows(gate: ProtocolRefusalGate, key: string, signal: ResponseSignal): boolean {
  try {
    return gate.decide(key, signal) === 'RETRY_WITH_BACKOFF';
  } catch (error) {
    if (error instanceof RetryBudgetExhaustedError) return false;
    throw error;
  }
}

let database: Database;
const told = usualHistories();

beforeAll(async () => {
  database = await openDatabase({ threads: 1 });
  await storeHistory(database, tell(...told));
  await runSteps(database);
});

afterAll(() => database.close());

test('the replay and the budget hold back what the library does not allow', async () => {
  const rows = await database.rows<{ line: number }>(
    `SELECT line FROM gate_replay UNION SELECT line FROM retries WHERE retry_no > (SELECT retry_budget FROM settings) ORDER BY line`,
  );
  const held = heldByGate(told);
  expect(held.length).toBeGreaterThan(1000);
  expect(rows.map(({ line }) => line)).toEqual(held);
});

test('the budget is that of the library', () => {
  expect(listSettings().find(({ name }) => name === 'retry_budget')?.default).toBe(MAX_RETRIES);
});
