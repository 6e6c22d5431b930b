-- How many attempts operations took that failed for the moment and were tried again.
-- Grain: one row per combination that occurs; `attempts` (the first and its retries since the last good answer) is at most 20.
-- Reads retries, failing_requests, shown_clients, shown_targets, time_steps.
WITH
stretches AS (
  SELECT
    x.client AS client, x.operation AS operation, x.episode AS episode, x.stretch_no AS stretch_no, MIN(f.target) AS target,
    MIN(f.ts) AS ts, MAX(x.retry_no) + 1 AS n_attempts
  FROM retries x
  JOIN failing_requests f ON f.source = x.source AND f.line = x.line AND f.part = x.part
  GROUP BY x.client, x.operation, x.episode, x.stretch_no
),
placed AS (
  SELECT
    s.ts - MOD(s.ts, w.bucket_us) AS bucket_ts, COALESCE(c.client_no, 0) AS client_no, COALESCE(t.target_no, 0) AS target_no,
    CASE WHEN s.n_attempts > 20 THEN 20 ELSE s.n_attempts END AS n_attempts
  FROM stretches s
  CROSS JOIN time_steps w
  LEFT JOIN shown_clients c ON c.client = s.client
  LEFT JOIN shown_targets t ON t.target = s.target
)
SELECT
  bucket_ts AS ts, client_no AS client_no, target_no AS target_no, CAST(n_attempts AS BIGINT) AS attempts,
  CAST(COUNT(*) AS BIGINT) AS n_operations
FROM placed
GROUP BY bucket_ts, client_no, target_no, n_attempts
ORDER BY ts NULLS LAST, client_no NULLS LAST, target_no NULLS LAST, attempts NULLS LAST;
