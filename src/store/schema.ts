// The tables that reading fills (design: tables). Steps in queries/ build on them; nothing else creates base tables.
import { REQUEST_COLUMNS, SIGNAL_COLUMNS, TARGET_COLUMNS } from '../record.ts';

type ColumnType = 'BIGINT' | 'VARCHAR' | 'BOOLEAN';
export type Columns = Readonly<Record<string, ColumnType>>;

function columns<K extends string>(names: readonly K[], typeOf: Partial<Record<K, ColumnType>>, fallback: ColumnType): Columns {
  return Object.fromEntries(names.map((name) => [name, typeOf[name] ?? fallback]));
}

/** Base tables by name, each a record of column to type, in storage order. */
const CLIENT_COLUMNS: Columns = { id: 'BIGINT', address: 'VARCHAR', user_agent: 'VARCHAR', principal: 'VARCHAR', key: 'VARCHAR' };
const SIGNAL_TABLE: Columns = {
  id: 'BIGINT',
  ...columns(SIGNAL_COLUMNS, { status: 'BIGINT', rpc_code: 'BIGINT', grpc_status: 'BIGINT' }, 'VARCHAR'),
};

export const TABLES = {
  /** Texts as they were read, with doubles; gone once the dimensions are made of them. */
  client_texts: CLIENT_COLUMNS,
  target_texts: {
    id: 'BIGINT',
    authority: 'VARCHAR',
    http_method: 'VARCHAR',
    path: 'VARCHAR',
    rpc_method: 'VARCHAR',
    rpc_name: 'VARCHAR',
  },
  signal_texts: SIGNAL_TABLE,
  requests: columns(REQUEST_COLUMNS, {}, 'BIGINT'),
  clients: CLIENT_COLUMNS,
  targets: {
    id: 'BIGINT',
    ...columns(
      TARGET_COLUMNS,
      {
        endpoint: 'BIGINT',
        probe_step: 'BIGINT',
        is_template: 'BOOLEAN',
        is_tool_declared: 'BOOLEAN',
        is_protocol_shaped: 'BOOLEAN',
        is_scanner: 'BOOLEAN',
      },
      'VARCHAR',
    ),
  },
  signals: SIGNAL_TABLE,
  verdicts: {
    target: 'BIGINT',
    signal: 'BIGINT',
    kind: 'VARCHAR',
    reason: 'VARCHAR',
    advice: 'VARCHAR',
    confidence: 'VARCHAR',
    memory_family: 'VARCHAR',
    lifted_by: 'VARCHAR',
    need: 'BIGINT',
  },
  sources: {
    id: 'BIGINT',
    name: 'VARCHAR',
    format: 'VARCHAR',
    bytes: 'BIGINT',
    lines: 'BIGINT',
    records: 'BIGINT',
    rejects: 'BIGINT',
    other: 'BIGINT',
    parts: 'BIGINT',
    duplicates: 'BIGINT',
    rank: 'BIGINT',
  },
  rejects: { source: 'BIGINT', line: 'BIGINT', reason: 'VARCHAR', excerpt: 'VARCHAR' },
  credentials: { source: 'BIGINT', line: 'BIGINT', place: 'VARCHAR' },
  /** What tells doubles of one request; gone once these are dropped. */
  request_keys: { source: 'BIGINT', line: 'BIGINT', part: 'BIGINT', key: 'BIGINT', is_upstream: 'BOOLEAN' },
} as const satisfies Record<string, Columns>;

export type TableName = keyof typeof TABLES;

/** Returns the CREATE TABLE statement of a base table. */
export function createTable(name: TableName): string {
  const list = Object.entries(TABLES[name]).map(([column, type]) => `"${column}" ${type}`);
  return `CREATE TABLE IF NOT EXISTS ${name} (${list.join(', ')})`;
}
