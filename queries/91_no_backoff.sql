-- Retries that do not back off, short of a storm: their waits do not grow, are all alike or hardly exist. One short wait proves nothing: full jitter makes them.
-- Grain: one row per retry of such a stretch, between good answers and within an episode; `n_measure` is how long it had waited, in milliseconds.
-- Reads retries, failing_requests, reconnect_loop_claims; settings no_backoff_min_retries, no_backoff_max_variation_percent, no_backoff_short_ms.
WITH
waits AS (
  SELECT
    r.client AS client, r.operation AS operation, r.episode AS episode, r.stretch_no AS stretch_no, f.target AS target, f.ts AS ts,
    r.source AS source, r.line AS line, r.wait_us AS wait_us, CAST(r.wait_us AS DOUBLE) AS wait,
    ROW_NUMBER() OVER (PARTITION BY r.client, r.operation, r.episode, r.stretch_no ORDER BY r.retry_no NULLS LAST) AS wait_no,
    COUNT(*) OVER (PARTITION BY r.client, r.operation, r.episode, r.stretch_no) AS n_waits
  FROM retries r
  JOIN failing_requests f ON f.source = r.source AND f.line = r.line AND f.part = r.part
  LEFT JOIN reconnect_loop_claims c ON c.source = r.source AND c.line = r.line AND c.part = r.part
  WHERE f.ts IS NOT NULL AND r.asked_wait_ms < 0 AND c.storm_kind IS NULL
),
judged AS (
  SELECT
    w.client AS client, w.operation AS operation, w.episode AS episode, w.stretch_no AS stretch_no, w.target AS target, w.ts AS ts,
    w.source AS source, w.line AS line, w.wait_us AS wait_us, w.wait AS wait, w.n_waits AS n_waits,
    CASE WHEN w.wait_no * 2 <= w.n_waits THEN 1 ELSE 0 END AS n_early,
    CASE WHEN w.wait_us < s.no_backoff_short_ms * 1000 THEN 1 ELSE 0 END AS n_short
  FROM waits w
  CROSS JOIN settings s
),
summed AS (
  SELECT
    client AS client, target AS target, ts AS ts, source AS source, line AS line, wait_us AS wait_us, n_waits AS n_waits,
    SUM(wait) OVER own AS total,
    SUM(wait * wait) OVER own AS total_squares,
    SUM(wait * n_early) OVER own AS early_total,
    SUM(n_early) OVER own AS n_early,
    SUM(n_short) OVER own AS n_short
  FROM judged
  WINDOW own AS (PARTITION BY client, operation, episode, stretch_no)
)
SELECT
  'no_backoff' AS rule, m.target AS subject, m.target AS target, m.client AS client, CAST(1 AS BIGINT) AS n_requests,
  CAST((m.wait_us - MOD(m.wait_us, 1000)) / 1000 AS BIGINT) AS n_measure, m.ts AS ts, m.source AS source, m.line AS line
FROM summed m
CROSS JOIN settings s
WHERE m.n_waits >= s.no_backoff_min_retries
  AND (
    (m.total - m.early_total) * m.n_early <= m.early_total * (m.n_waits - m.n_early)
    OR (m.total_squares * m.n_waits - m.total * m.total) * 10000
      < m.total * m.total * s.no_backoff_max_variation_percent * s.no_backoff_max_variation_percent
    OR m.n_short * 2 > m.n_waits
  );
