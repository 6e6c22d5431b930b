// The findings of a database that an earlier run kept.
import type { Database } from '../store/database.ts';
import { runReport } from '../store/steps.ts';
import type { Findings } from './findings.ts';
import { readFindings, type ReportStamp } from './read.ts';

/** Returns the report of a kept database. It does not know the names of contract documents, only that there were some. */
export async function readKeptFindings(database: Database, stamp: Omit<ReportStamp, 'contract'>): Promise<Findings> {
  const rows = await runReport<{ declared_by: string }>(database, 'contract_sources');
  const sources = new Set(rows.map((row) => row.declared_by));
  const judged = sources.has('inferred') ? 'inferred' : 'none';
  return readFindings(database, {
    ...stamp,
    contract: { source: sources.has('document') ? 'documents' : judged, documents: [] },
  });
}
