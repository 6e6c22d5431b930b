-- The requests between since and until, placed in time. Kept as a view.
-- Grain: one row per request; `at_us` is `ts`, or a moment after all others without a stamp; `bucket` is one session gap wide.
-- Reads requests; settings session_gap_s, untimed_us, since_us, until_us.
SELECT
  r.source AS source, r.line AS line, r.part AS part, r.ts AS ts, r.duration_us AS duration_us, r.client AS line_client,
  r.session_token AS session_token, r.target AS target, r.operation AS operation, r.signal AS signal,
  r.request_bytes AS request_bytes, r.response_bytes AS response_bytes, r.retry_after_ms AS retry_after_ms,
  r.attempts AS attempts, r.arguments_hash AS arguments_hash, r.correlation AS correlation,
  COALESCE(r.ts, s.untimed_us) AS at_us,
  COALESCE(r.ts, s.untimed_us) - MOD(COALESCE(r.ts, s.untimed_us), s.session_gap_s * 1000000) AS bucket
FROM requests r
CROSS JOIN settings s
WHERE (s.since_us IS NULL OR r.ts >= s.since_us) AND (s.until_us IS NULL OR r.ts < s.until_us);
