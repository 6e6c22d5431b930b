// The report on one night, from the rows that are kept.
import { dropDuplicates } from '../ingest/duplicates.ts';
import { analyseTables, type Analysis, type AnalysisRequest } from '../ingest/run.ts';
import type { Database } from '../store/database.ts';
import { TABLES, type TableName } from '../store/schema.ts';
import { clearTables, KEPT, literal } from './state.ts';
import type { Night } from './window.ts';

export type NightRequest = Pick<AnalysisRequest, 'documents' | 'endpoints' | 'infer' | 'client' | 'settings' | 'onWarning'>;

/** Analyses the requests of a night's window, as `report --since --until` does over the logs themselves. */
export async function analyseNight(database: Database, night: Night, request: NightRequest): Promise<Analysis> {
  await clearTables(database);
  const readTonight = (table: string) =>
    `EXISTS (SELECT 1 FROM ${KEPT}.stretches AS s WHERE s.night = ${literal(night.name)} AND s.generation = ${table}.source
       AND ${table}.line >= s.first_line AND ${table}.line < s.first_line + s.lines)`;
  await fill(
    database,
    'requests',
    `(ts >= ${night.since} AND ts < ${night.until}) OR (ts IS NULL AND ${readTonight('requests')})`,
  );
  await fill(database, 'client_texts', 'id IN (SELECT client FROM main.requests)');
  await fill(database, 'target_texts', 'id IN (SELECT target FROM main.requests)');
  await fill(database, 'signal_texts', 'id IN (SELECT signal FROM main.requests)');
  await fill(database, 'request_keys', '(source, line) IN (SELECT (source, line) FROM main.requests)');
  await fill(database, 'rejects', readTonight('rejects'));
  await fill(database, 'credentials', readTonight('credentials'));
  await database.run(SOURCES.replace('$night', literal(night.name)), 'sources');
  await dropNightDuplicates(database);
  return analyseTables(database, request);
}

/** Logs that were read on another night take part, though none of their lines is accounted for tonight. */
async function dropNightDuplicates(database: Database): Promise<void> {
  await database.run(
    `CREATE TABLE read_before AS SELECT id FROM sources WHERE lines IS NULL AND id IN (SELECT id FROM ${KEPT}.generations)`,
  );
  await database.run('UPDATE sources SET lines = 0 WHERE id IN (SELECT id FROM read_before)', 'sources');
  await dropDuplicates(database);
  await database.run('UPDATE sources SET lines = NULL WHERE id IN (SELECT id FROM read_before)', 'sources');
}

/** A log of the window of which nothing was read tonight is only cited. */
const SOURCES = `INSERT INTO sources (id, name, format, bytes, lines, records, rejects, other, parts, duplicates)
SELECT g.id, g.title, g.format, s.bytes, s.lines, s.records, s.rejects, s.other, s.parts, s.duplicates
FROM ${KEPT}.generations AS g LEFT JOIN (
  SELECT generation, CAST(SUM(bytes) AS BIGINT) AS bytes, CAST(SUM(lines) AS BIGINT) AS lines, CAST(SUM(records) AS BIGINT) AS records,
    CAST(SUM(rejects) AS BIGINT) AS rejects, CAST(SUM(other) AS BIGINT) AS other, CAST(SUM(parts) AS BIGINT) AS parts,
    CAST(SUM(duplicates) AS BIGINT) AS duplicates
  FROM ${KEPT}.stretches WHERE night = $night GROUP BY generation
) AS s ON s.generation = g.id
WHERE s.lines IS NOT NULL OR g.id IN (SELECT source FROM requests)
UNION ALL
SELECT id, name, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM ${KEPT}.cited WHERE id IN (SELECT source FROM requests)`;

async function fill(database: Database, table: TableName, where: string): Promise<void> {
  const columns = Object.keys(TABLES[table])
    .map((column) => `"${column}"`)
    .join(', ');
  await database.run(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${KEPT}.${table} WHERE ${where}`, table);
}
