-- Clients that ask for the paths of foreign software, one after the other.
-- Grain: one row per request of such a client; `n_measure` is 1 for the first of each path.
-- Reads watched_requests, known_targets; settings scanner_min_paths.
WITH
scanned AS (
  SELECT
    w.client AS client, w.ts AS ts, w.source AS source, w.line AS line,
    ROW_NUMBER() OVER (PARTITION BY w.client, w.route ORDER BY w.seq NULLS LAST) AS ask_no
  FROM watched_requests w
  JOIN known_targets t ON t.target = w.target
  WHERE t.is_scanner AND w.memory > 0
),
counted AS (
  SELECT
    client AS client, ts AS ts, source AS source, line AS line, ask_no AS ask_no,
    SUM(CASE WHEN ask_no = 1 THEN 1 ELSE 0 END) OVER (PARTITION BY client) AS n_paths
  FROM scanned
)
SELECT
  'scanner' AS rule, c.client AS subject, CAST(0 AS BIGINT) AS target, c.client AS client, CAST(1 AS BIGINT) AS n_requests,
  CAST(CASE WHEN c.ask_no = 1 THEN 1 ELSE 0 END AS BIGINT) AS n_measure, c.ts AS ts, c.source AS source, c.line AS line
FROM counted c
CROSS JOIN settings s
WHERE c.n_paths >= s.scanner_min_paths;
