// Requests that two lines tell of are counted once: copies of a rotated file, second entries under one id, a gateway's upstream legs, an
// application behind its front.
import type { Database } from '../store/database.ts';
import { joinApplications } from './joins.ts';

/** Requests in a row that must be equal in two sources before these are taken for copies of one log. */
const RUN = 10;
/** Of which so many must differ in more than their time: two replicas that answer the same steady probe log equal lines too. */
const SIGHTS = 3;
/** Clocks of two hosts, and stamps that are rounded differently. */
const SLACK_US = 100_000;

/** Takes every request that is told of twice out of the tables, and counts the lines that told of it as duplicates of their sources. */
export async function dropDuplicates(database: Database): Promise<void> {
  const isKeyed = await has(database, 'SELECT 1 FROM request_keys LIMIT 1');
  const mayOverlap = await has(database, `${SPANS} SELECT 1 FROM spans HAVING COUNT(*) > 1`);
  if (isKeyed || mayOverlap) {
    await database.run(`CREATE OR REPLACE TEMP TABLE places AS ${SPANS} ${PLACES}`, 'places');
    await database.run('CREATE OR REPLACE TEMP TABLE doubles (request BIGINT)', 'doubles');
    if (isKeyed) await database.run(`INSERT INTO doubles ${KEYED_DOUBLES}`, 'keyed doubles');
    if (mayOverlap && (await has(database, CONTEMPORARIES))) {
      await findCopies(database);
      await joinApplications(database);
    }
    if (await has(database, 'SELECT 1 FROM doubles LIMIT 1')) await database.run(DROP_DOUBLES, 'drop doubles');
    await database.run('DROP TABLE doubles; DROP TABLE places', 'drop doubles');
  }
  await database.run('DELETE FROM request_keys', 'request keys');
}

async function has(database: Database, sql: string): Promise<boolean> {
  return (await database.rows(sql, 'duplicates')).length > 0;
}

/** Sources that were read here, each once; one that is only cited has no lines of its own to account for. */
const SPANS = `
WITH own AS (
  SELECT id, MIN(name) AS name FROM sources GROUP BY id HAVING COUNT(*) = 1 AND COUNT(lines) = 1
),
spans AS (
  SELECT r.source AS source, o.name AS name, MIN(r.ts) AS first_ts, MAX(r.ts) AS last_ts
  FROM requests r JOIN own o ON o.id = r.source GROUP BY ALL
)`;

/** Of two that tell the same, the source that begins first is believed, whatever the order in which they are read. */
const PLACES = `SELECT source, first_ts, last_ts, ROW_NUMBER() OVER (ORDER BY first_ts NULLS LAST, name) AS place FROM spans`;

/**
 * Under one key: an entry that came twice, and an upstream leg that began while the client's request was under way. Two entries of one
 * kind that differ in their time are two requests: a client that tries again may say the same id.
 */
const KEYED_DOUBLES = `
WITH keyed AS (
  SELECT r.rowid AS request, k.key AS key, k.is_upstream AS is_upstream, r.ts AS ts, r.duration_us AS duration_us,
    ROW_NUMBER() OVER (
      PARTITION BY k.key, k.is_upstream, r.part, r.ts, r.duration_us, r.client, r.session_token, r.signal ORDER BY p.place, r.line
    ) AS nth
  FROM request_keys k
  JOIN requests r ON r.source = k.source AND r.line = k.line AND r.part = k.part
  JOIN places p ON p.source = r.source
)
SELECT request FROM keyed WHERE nth > 1
UNION
SELECT u.request FROM keyed u SEMI JOIN keyed c ON c.key = u.key AND NOT c.is_upstream
  AND (c.ts IS NULL OR u.ts IS NULL OR u.ts BETWEEN c.ts - ${SLACK_US} AND c.ts + COALESCE(c.duration_us, 0) + ${SLACK_US})
WHERE u.is_upstream`;

/** Sources that follow upon each other tell of different requests; what takes long is told of late. */
const MINUTE_US = 60_000_000;
const CONTEMPORARIES = `
SELECT 1 FROM places a JOIN places b ON b.place > a.place AND b.first_ts <= a.last_ts + ${MINUTE_US} AND a.first_ts <= b.last_ts + ${MINUTE_US} LIMIT 1`;

async function findCopies(database: Database): Promise<void> {
  await database.run(`CREATE OR REPLACE TEMP TABLE told_twice AS ${TOLD_TWICE}`, 'requests told twice');
  if (await has(database, `SELECT 1 FROM told_twice HAVING COUNT(*) >= ${RUN}`))
    await database.run(`INSERT INTO doubles ${COPIES}`, 'copies');
  await database.run('DROP TABLE told_twice', 'requests told twice');
}

/** All that is stored of a request but where it was read; clients that a log does not name are called after their source. */
const SAME = `hash(r.part, r.ts, r.duration_us, CASE WHEN n.id IS NULL THEN r.client END, r.session_token, r.target, r.operation, r.signal,
  r.request_bytes, r.response_bytes, r.retry_after_ms, r.attempts, r.arguments_hash, r.correlation)`;
const NAMELESS = `(SELECT DISTINCT id FROM client_texts WHERE address IS NULL AND user_agent IS NULL AND principal IS NULL)`;

/** Requests at a time that another source tells of too: none where files follow upon each other. */
const CONTESTED = `
WITH contested AS (
  SELECT a.source AS source, a.place AS place,
    MIN(GREATEST(a.first_ts, b.first_ts)) AS from_ts, MAX(LEAST(a.last_ts, b.last_ts)) AS to_ts
  FROM places a JOIN places b ON b.place <> a.place AND b.first_ts <= a.last_ts AND a.first_ts <= b.last_ts
  GROUP BY ALL
),
asked AS (
  SELECT r.rowid AS request, c.place AS place, r.line AS line, r.part AS part, ${SAME} AS same,
    hash(r.client, r.operation, r.signal, r.response_bytes) AS sight
  FROM requests r
  JOIN contested c ON c.source = r.source AND r.ts BETWEEN c.from_ts AND c.to_ts
  LEFT JOIN ${NAMELESS} n ON n.id = r.client
)`;

const TOLD_TWICE = `${CONTESTED} SELECT same FROM asked GROUP BY same HAVING MIN(place) <> MAX(place)`;

/**
 * Pairs of equal requests in two sources, at one distance from each other as long as the run goes on. The nth of several equal ones is
 * paired with the nth, counted from the first as well as from the last: a copy may begin or end among them.
 */
const COPIES = `${CONTESTED},
numbered AS (
  SELECT request, place, same, sight, ROW_NUMBER() OVER (PARTITION BY place ORDER BY line, part) AS pos FROM asked
),
counted AS (
  SELECT request, place, pos, same, sight,
    ROW_NUMBER() OVER (PARTITION BY place, same ORDER BY pos) AS from_first,
    ROW_NUMBER() OVER (PARTITION BY place, same ORDER BY pos DESC) AS from_last
  FROM numbered SEMI JOIN told_twice USING (same)
),
pairs AS (
  SELECT a.place AS place, b.place AS other_place, a.pos AS pos, b.pos - a.pos AS distance, a.request AS request, b.request AS other, a.sight AS sight
  FROM counted a JOIN counted b ON b.same = a.same AND b.from_first = a.from_first AND b.place > a.place
  UNION
  SELECT a.place, b.place, a.pos, b.pos - a.pos, a.request, b.request, a.sight
  FROM counted a JOIN counted b ON b.same = a.same AND b.from_last = a.from_last AND b.place > a.place
),
runs AS (
  SELECT place, other_place, distance, request, other, sight,
    pos - ROW_NUMBER() OVER (PARTITION BY place, other_place, distance ORDER BY pos) AS run
  FROM pairs
),
proven AS (
  SELECT place, other_place, distance, run, COUNT(*) AS length
  FROM runs GROUP BY ALL HAVING COUNT(*) >= ${RUN} AND COUNT(DISTINCT sight) >= ${SIGHTS}
),
matches AS (
  SELECT other,
    ROW_NUMBER() OVER (PARTITION BY place, other ORDER BY length DESC, distance) AS nth_of_other,
    ROW_NUMBER() OVER (PARTITION BY other_place, request ORDER BY length DESC, distance) AS nth_of_request
  FROM runs JOIN proven USING (place, other_place, distance, run)
)
SELECT DISTINCT other FROM matches WHERE nth_of_other = 1 AND nth_of_request = 1`;

/** A line counts as a duplicate once no request is left that begins on it. */
const DROP_DOUBLES = `
CREATE OR REPLACE TEMP TABLE double_lines AS
  SELECT DISTINCT r.source AS source, r.line AS line FROM requests r SEMI JOIN doubles d ON d.request = r.rowid;
DELETE FROM requests WHERE rowid IN (SELECT request FROM doubles);
UPDATE sources SET records = records - gone.n, duplicates = duplicates + gone.n
  FROM (
    SELECT d.source AS source, COUNT(*) AS n FROM double_lines d ANTI JOIN requests r ON r.source = d.source AND r.line = d.line GROUP BY d.source
  ) gone
  WHERE sources.id = gone.source;
DROP TABLE double_lines`;
