-- Requests over time by kind.
-- Grain: one row per (bucket, kind) with requests; `bucket_us` is the width that cuts the window into at most 120.
-- Reads known_requests, answers, answer_counts.
WITH
bounds AS (
  SELECT MIN(first_ts) AS start_ts, MAX(last_ts) AS end_ts
  FROM answer_counts
),
widths AS (
  SELECT
    b.start_ts AS start_ts,
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
  FROM bounds b
),
placed AS (
  SELECT r.ts - MOD(r.ts, w.bucket_us) AS bucket_ts, w.bucket_us AS bucket_us, r.target AS target, r.signal AS signal, COUNT(*) AS n_requests
  FROM known_requests r
  CROSS JOIN widths w
  WHERE r.ts IS NOT NULL
  GROUP BY r.ts - MOD(r.ts, w.bucket_us), w.bucket_us, r.target, r.signal
)
SELECT
  p.bucket_us AS bucket_us,
  p.bucket_ts AS ts,
  COALESCE(a.kind, 'ambiguous') AS kind,
  CAST(SUM(p.n_requests) AS BIGINT) AS n_requests
FROM placed p
LEFT JOIN answers a ON a.target = p.target AND a.signal = p.signal
GROUP BY p.bucket_us, p.bucket_ts, COALESCE(a.kind, 'ambiguous')
ORDER BY ts NULLS LAST, kind NULLS LAST;
