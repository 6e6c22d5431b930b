-- Requests over time by kind.
-- Grain: one row per (bucket, kind) with requests; `bucket_us` is the width that cuts the window into at most 120.
-- Reads known_requests, answers, time_steps.
WITH
placed AS (
  SELECT r.ts - MOD(r.ts, w.bucket_us) AS bucket_ts, w.bucket_us AS bucket_us, r.target AS target, r.signal AS signal, COUNT(*) AS n_requests
  FROM known_requests r
  CROSS JOIN time_steps w
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
