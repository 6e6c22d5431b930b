-- How long clients waited before they tried again.
-- Grain: one row per combination that occurs; `retry_no` is at most 8, `wait_ms` the start of a class of waits, `n_early` waits lie in the first tenth of the full-jitter envelope.
-- Reads retries, failing_requests, shown_clients, shown_targets, time_steps.
WITH
timed AS (
  SELECT
    f.ts - MOD(f.ts, w.bucket_us) AS bucket_ts, f.client AS client, f.target AS target, x.is_after_throttled AS is_after_throttled,
    CASE WHEN x.retry_no > 8 THEN 8 ELSE x.retry_no END AS retry_no, x.wait_us AS wait_us,
    CASE x.retry_no
      WHEN 1 THEN 500000 WHEN 2 THEN 1000000 WHEN 3 THEN 2000000 WHEN 4 THEN 4000000 WHEN 5 THEN 8000000 WHEN 6 THEN 16000000
      ELSE 30000000
    END AS envelope_us
  FROM retries x
  JOIN failing_requests f ON f.source = x.source AND f.line = x.line AND f.part = x.part
  CROSS JOIN time_steps w
  WHERE f.ts IS NOT NULL
),
classed AS (
  SELECT
    bucket_ts AS bucket_ts, client AS client, target AS target, is_after_throttled AS is_after_throttled, retry_no AS retry_no,
    CASE
      WHEN wait_us < 10000 THEN 0 WHEN wait_us < 31000 THEN 10 WHEN wait_us < 100000 THEN 31 WHEN wait_us < 310000 THEN 100
      WHEN wait_us < 1000000 THEN 310 WHEN wait_us < 3100000 THEN 1000 WHEN wait_us < 10000000 THEN 3100
      WHEN wait_us < 31000000 THEN 10000 WHEN wait_us < 100000000 THEN 31000 ELSE 100000
    END AS wait_ms,
    CASE WHEN wait_us * 10 < envelope_us THEN 1 ELSE 0 END AS n_early
  FROM timed
)
SELECT
  c.bucket_ts AS ts, COALESCE(k.client_no, 0) AS client_no, COALESCE(t.target_no, 0) AS target_no,
  c.is_after_throttled AS is_after_throttled, CAST(c.retry_no AS BIGINT) AS retry_no, CAST(c.wait_ms AS BIGINT) AS wait_ms,
  CAST(COUNT(*) AS BIGINT) AS n_retries, CAST(SUM(c.n_early) AS BIGINT) AS n_early
FROM classed c
LEFT JOIN shown_clients k ON k.client = c.client
LEFT JOIN shown_targets t ON t.target = c.target
GROUP BY c.bucket_ts, COALESCE(k.client_no, 0), COALESCE(t.target_no, 0), c.is_after_throttled, c.retry_no, c.wait_ms
ORDER BY
  ts NULLS LAST, client_no NULLS LAST, target_no NULLS LAST, is_after_throttled NULLS LAST, retry_no NULLS LAST, wait_ms NULLS LAST;
