// The rows that charts are drawn from.
import type { Kind } from '../record.ts';
import type { Database } from '../store/database.ts';
import { runReport } from '../store/steps.ts';
import type { Series, StormKind } from './findings.ts';
import { targetLabel } from './label.ts';
import { readSlices } from './slices.ts';
import { stormId } from './storm-id.ts';

interface PathRow {
  storm_kind: StormKind;
  client: string;
  first_source: string;
  first_line: number;
  ts: number | null;
  place: number;
  authority: string | null;
  http_method: string | null;
  path: string | null;
  rpc_method: string | null;
  rpc_name: string | null;
  kind: Kind;
  status: number | null;
  is_spared: boolean;
  in_storm: boolean;
  source: string;
  line: number;
}

/** Returns the series of a database in which all steps have run. */
export async function readSeries(database: Database): Promise<Series> {
  const rows = await runReport<{ bucket_us: number; ts: number; kind: Kind; n_requests: number }>(database, 'timeline');
  const paths = await runReport<PathRow>(database, 'storm_paths');
  return {
    slices: await readSlices(database),
    timeline: {
      bucket_us: rows[0]?.bucket_us ?? 0,
      rows: rows.map(({ ts, kind, n_requests }) => ({ ts, kind, requests: n_requests })),
    },
    paths: paths.map((row) => ({
      storm: stormId(row.storm_kind, row.client, { source: row.first_source, line: row.first_line }),
      ts: row.ts,
      seq: row.place,
      target: targetLabel(row),
      kind: row.kind,
      status: row.status,
      is_spared: row.is_spared,
      in_storm: row.in_storm,
      source: row.source,
      line: row.line,
    })),
  };
}
