// One table of the report for spreadsheets: the storms, or another one by name. Header always.
import type { Evidence, Finding, Findings, InputSummary, KindSavings, Storm, StormTarget } from '../findings/findings.ts';
import type { Kind } from '../record.ts';
import { escapeCsv } from './escape.ts';
import { place } from './facts.ts';
import type { Renderer } from './renderer.ts';
import { targetName } from './verdict.ts';

type Cell = string | number | null;

/** A table: its rows, and its columns in order. */
interface Table<Row> {
  rows(findings: Findings): readonly Row[];
  columns: Readonly<Record<string, (row: Row) => Cell>>;
}

const table = <Row>(of: Table<Row>): Table<unknown> => of as Table<unknown>;
const field = <K extends string>(name: K) =>
  ({ [name]: (row: Record<K, Cell>) => row[name] }) as Record<K, (row: Record<K, Cell>) => Cell>;
const places = (lines: readonly Evidence[]): string => lines.map(place).join('; ');

interface Counted {
  name: string;
  requests: number;
}
const counted = (counts: Readonly<Record<string, number>>): Counted[] =>
  Object.entries(counts).map(([name, requests]) => ({ name, requests }));
const countsOf = (name: string, of: (findings: Findings) => Readonly<Record<string, number>>): Table<unknown> =>
  table<Counted>({ rows: (findings) => counted(of(findings)), columns: { [name]: (row) => row.name, ...field('requests') } });

export const TABLES = {
  storms: table<Storm>({
    rows: ({ storms }) => storms,
    columns: {
      ...field('id'),
      ...field('kind'),
      ...field('client'),
      ...field('session'),
      ...field('start_ts'),
      ...field('end_ts'),
      ...field('duration_s'),
      ...field('requests'),
      ...field('refused'),
      ...field('avoidable'),
      ...field('under_gate'),
      targets: ({ targets }) => targets.map((target) => `${targetName(target)} (${target.requests})`).join('; '),
      evidence: ({ evidence }) => places(evidence),
    },
  }),
  targets: table<StormTarget & { storm: string; client: string }>({
    rows: ({ storms }) =>
      storms.flatMap(({ id, client, targets }) => targets.map((target) => Object.assign({ storm: id, client }, target))),
    columns: {
      ...field('storm'),
      ...field('client'),
      ...field('http_method'),
      ...field('path'),
      ...field('rpc_method'),
      ...field('rpc_name'),
      ...field('declared'),
      ...field('kind'),
      ...field('reason'),
      ...field('requests'),
      ...field('under_gate'),
      ...field('avoidable'),
    },
  }),
  findings: table<Finding>({
    rows: ({ findings }) => findings,
    columns: {
      ...field('rule'),
      ...field('severity'),
      ...field('title'),
      ...field('requests'),
      clients: ({ clients }) => clients.join('; '),
      ...field('advice'),
      evidence: ({ evidence }) => places(evidence),
    },
  }),
  kinds: table<KindSavings & { kind: Kind }>({
    rows: ({ savings }) => Object.entries(savings.by_kind).map(([kind, row]) => Object.assign({ kind: kind as Kind }, row)),
    columns: { ...field('kind'), ...field('requests'), ...field('under_gate'), ...field('avoidable'), ...field('harm') },
  }),
  reasons: countsOf('reason', ({ requests }) => requests.by_reason),
  statuses: countsOf('status', ({ requests }) => requests.by_status),
  inputs: table<InputSummary>({
    rows: ({ inputs }) => inputs,
    columns: {
      ...field('name'),
      ...field('format'),
      ...field('bytes'),
      ...field('lines'),
      ...field('records'),
      ...field('rejects'),
      ...field('other'),
      ...field('parts'),
      ...field('duplicates'),
    },
  }),
  rejects: table<Findings['rejects']['samples'][number]>({
    rows: ({ rejects }) => rejects.samples,
    columns: { ...field('source'), ...field('line'), ...field('reason'), ...field('excerpt') },
  }),
} as const satisfies Record<string, Table<unknown>>;

export type TableName = keyof typeof TABLES;

export const csv: Renderer = {
  title: 'one table: the storms, or what --table names',
  extensions: ['csv'],
  hasCharts: false,
  render(findings, { table: name }) {
    const { rows, columns }: Table<unknown> = TABLES[name];
    return [Object.keys(columns), ...rows(findings).map((row) => Object.values(columns).map((cell) => cell(row)))]
      .map((row) => `${row.map(escapeCsv).join(',')}\r\n`)
      .join('');
  },
};
