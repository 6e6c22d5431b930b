-- How long a step of time is where requests are counted over time: it cuts the window into at most 120. Kept as a view.
-- Grain: one row.
-- Reads answer_counts.
WITH
bounds AS (
  SELECT MIN(first_ts) AS start_ts, MAX(last_ts) AS end_ts
  FROM answer_counts
)
SELECT
  CASE
    WHEN b.end_ts - b.start_ts < 120000000 THEN CAST(1000000 AS BIGINT)
    WHEN b.end_ts - b.start_ts < 600000000 THEN CAST(5000000 AS BIGINT)
    WHEN b.end_ts - b.start_ts < 1800000000 THEN CAST(15000000 AS BIGINT)
    WHEN b.end_ts - b.start_ts < 7200000000 THEN CAST(60000000 AS BIGINT)
    WHEN b.end_ts - b.start_ts < 36000000000 THEN CAST(300000000 AS BIGINT)
    WHEN b.end_ts - b.start_ts < 108000000000 THEN CAST(900000000 AS BIGINT)
    WHEN b.end_ts - b.start_ts < 432000000000 THEN CAST(3600000000 AS BIGINT)
    WHEN b.end_ts - b.start_ts < 2592000000000 THEN CAST(21600000000 AS BIGINT)
    WHEN b.end_ts - b.start_ts < 10368000000000 THEN CAST(86400000000 AS BIGINT)
    ELSE CAST(604800000000 AS BIGINT)
  END AS bucket_us
FROM bounds b;
