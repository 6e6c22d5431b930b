// After reading: dimensions without doubles, the contract, and one verdict for each (target, signal) that occurred.
import { classify } from '../classify/classify.ts';
import type { Contract, ContractOptions, Observation } from '../contract/contract.ts';
import { openContract } from '../contract/open.ts';
import { SIGNAL_COLUMNS, type LineTarget, type Signal, type Target } from '../record.ts';
import { openRowAppender } from '../store/append.ts';
import type { Database } from '../store/database.ts';
import { textId } from './ids.ts';

type Ids = { target: string; signal: string };
type SignalRow = Signal & { id: string };

/** Fills `clients`, `signals`, `targets` and `verdicts` from what was read. Returns the contract, and sentences about texts that share an id. */
export async function judge(database: Database, options: ContractOptions): Promise<{ contract: Contract; collisions: string[] }> {
  const collisions = await uniteDimensions(database);
  const signals = new Map(
    (await database.rows<SignalRow>(`SELECT * FROM signals`)).map((row) => [String(row.id), withoutId(row)]),
  );
  const contract = await openContract(options, observe(database, signals));
  await describeTargets(database, contract, signals);
  await database.run('DROP TABLE pairs; DROP TABLE target_texts; DROP TABLE client_texts; DROP TABLE signal_texts');
  return { contract, collisions };
}

const DIMENSIONS = [
  { texts: 'client_texts', table: 'clients', columns: ['address', 'user_agent', 'principal', 'key'] },
  { texts: 'signal_texts', table: 'signals', columns: SIGNAL_COLUMNS },
  { texts: 'target_texts', table: 'distinct_targets', columns: ['authority', 'http_method', 'path', 'rpc_method', 'rpc_name'] },
] as const;

async function uniteDimensions(database: Database): Promise<string[]> {
  const collisions: string[] = [];
  for (const { texts, table, columns } of DIMENSIONS) {
    const list = columns.map((column) => `"${column}"`).join(', ');
    const first = columns.map((column) => `MIN("${column}") AS "${column}"`).join(', ');
    await database.run(
      `CREATE OR REPLACE TABLE ${table} AS SELECT id, ${first} FROM (SELECT DISTINCT id, ${list} FROM ${texts}) GROUP BY id`,
      texts,
    );
    const [doubles] = await database.rows<{ n: number }>(
      `SELECT (SELECT COUNT(*) FROM (SELECT DISTINCT id, ${list} FROM ${texts})) - (SELECT COUNT(*) FROM ${table}) AS n`,
      texts,
    );
    if (doubles && doubles.n > 0)
      collisions.push(`${doubles.n} different ${table} share an id with others and are counted as one`);
  }
  await database.run(
    'CREATE OR REPLACE TABLE pairs AS SELECT target, signal, CAST(COUNT(*) AS BIGINT) AS requests FROM requests GROUP BY target, signal',
    'pairs',
  );
  return collisions;
}

function withoutId(row: SignalRow): Signal {
  return Object.fromEntries(SIGNAL_COLUMNS.map((column) => [column, row[column]])) as unknown as Signal;
}

const PAIRS = `SELECT p.target AS target, p.signal AS signal, p.requests AS requests,
  t.authority AS authority, t.http_method AS http_method, t.path AS path, t.rpc_method AS rpc_method, t.rpc_name AS rpc_name
FROM pairs AS p JOIN distinct_targets AS t ON t.id = p.target`;

async function* observe(database: Database, signals: ReadonlyMap<string, Signal>): AsyncIterable<Observation> {
  for await (const batch of database.batches<Ids & LineTarget & { requests: number }>(PAIRS, 'pairs')) {
    for (const { target: _, signal, requests, ...target } of batch) yield { target, signal: known(signals, signal), requests };
  }
}

async function describeTargets(database: Database, contract: Contract, signals: ReadonlyMap<string, Signal>): Promise<void> {
  const targets = await openRowAppender(database.connection, 'targets');
  const verdicts = await openRowAppender(database.connection, 'verdicts');
  let current: { id: string; target: Target } | undefined;
  for await (const batch of database.batches<Ids & LineTarget>(`${PAIRS} ORDER BY p.target, p.signal`, 'pairs')) {
    for (const { target: id, signal, authority, http_method, path, rpc_method, rpc_name } of batch) {
      if (current?.id !== String(id)) {
        current = { id: String(id), target: contract.describe({ authority, http_method, path, rpc_method, rpc_name }) };
        const { endpoint, ...facts } = current.target;
        targets.append({ id, ...facts, endpoint: endpoint === null ? null : textId(endpoint) });
      }
      verdicts.append({ target: id, signal, ...classify(current.target, known(signals, signal)) });
    }
  }
  targets.close();
  verdicts.close();
}

function known(signals: ReadonlyMap<string, Signal>, id: string): Signal {
  const signal = signals.get(String(id));
  if (!signal) throw new Error(`signal ${id} has no row`);
  return signal;
}
