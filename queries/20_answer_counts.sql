-- How often each target was answered in each way: all totals come from here.
-- Grain: one row per (target, signal).
-- Reads known_requests.
SELECT
  target AS target,
  signal AS signal,
  CAST(COUNT(*) AS BIGINT) AS n_requests,
  CAST(COUNT(ts) AS BIGINT) AS n_timed,
  MIN(ts) AS first_ts,
  MAX(ts) AS last_ts
FROM known_requests
GROUP BY target, signal;
