-- When the requests were made.
-- Grain: one row; `n_timed` of `n_requests` have a stamp. Times are microseconds since the epoch.
-- Reads answer_counts.
SELECT
  MIN(first_ts) AS start_ts,
  MAX(last_ts) AS end_ts,
  CAST(COALESCE(SUM(n_requests), 0) AS BIGINT) AS n_requests,
  CAST(COALESCE(SUM(n_timed), 0) AS BIGINT) AS n_timed
FROM answer_counts;
