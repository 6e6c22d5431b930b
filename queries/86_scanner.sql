-- Clients that ask for the paths of foreign software, one after the other.
-- Grain: one row per client; `n_measure` is the number of distinct paths.
-- Reads watched_requests, known_targets; settings scanner_min_paths.
WITH
scanned AS (
  SELECT w.client AS client, w.route AS route, COUNT(*) AS n_requests, MIN(w.seq) AS first_seq
  FROM watched_requests w
  JOIN known_targets t ON t.target = w.target
  WHERE t.is_scanner AND w.memory > 0
  GROUP BY w.client, w.route
),
counted AS (
  SELECT client AS client, SUM(n_requests) AS n_requests, COUNT(*) AS n_paths, MIN(first_seq) AS first_seq
  FROM scanned
  GROUP BY client
)
SELECT
  c.client AS subject, CAST(0 AS BIGINT) AS target, c.client AS client, CAST(c.n_requests AS BIGINT) AS n_requests,
  CAST(c.n_paths AS BIGINT) AS n_measure, w.source AS source, w.line AS line
FROM counted c
CROSS JOIN settings s
JOIN watched_requests w ON w.client = c.client AND w.seq = c.first_seq
WHERE c.n_paths >= s.scanner_min_paths;
