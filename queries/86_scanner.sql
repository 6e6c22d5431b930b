-- Clients that ask for the paths of foreign software, one after the other.
-- Grain: one row per (client, method and path, source), cited by the first line; `n_measure` is 1 for the first source.
-- Reads watched_requests, known_targets; settings scanner_min_paths.
WITH
scanned AS (
  SELECT
    w.client AS client, w.route AS route, w.source AS source, COUNT(*) AS n_requests, MIN(w.ts) AS ts, MIN(w.line) AS line
  FROM watched_requests w
  JOIN known_targets t ON t.target = w.target
  WHERE t.is_scanner AND w.memory > 0
  GROUP BY w.client, w.route, w.source
),
numbered AS (
  SELECT
    client AS client, source AS source, n_requests AS n_requests, ts AS ts, line AS line,
    ROW_NUMBER() OVER (PARTITION BY client, route ORDER BY source NULLS LAST) AS source_no
  FROM scanned
),
counted AS (
  SELECT
    client AS client, source AS source, n_requests AS n_requests, ts AS ts, line AS line, source_no AS source_no,
    SUM(CASE WHEN source_no = 1 THEN 1 ELSE 0 END) OVER (PARTITION BY client) AS n_paths
  FROM numbered
)
SELECT
  'scanner' AS rule, c.client AS subject, CAST(0 AS BIGINT) AS target, c.client AS client, CAST(c.n_requests AS BIGINT) AS n_requests,
  CAST(CASE WHEN c.source_no = 1 THEN 1 ELSE 0 END AS BIGINT) AS n_measure, c.ts AS ts, c.source AS source, c.line AS line
FROM counted c
CROSS JOIN settings s
WHERE c.n_paths >= s.scanner_min_paths;
