-- Retries that came before the wait the server had asked for was over.
-- Grain: one row per such retry; `n_measure` is how much too early it came, in milliseconds.
-- Reads retries, failing_requests.
SELECT
  'retry_after_ignored' AS rule, f.target AS subject, f.target AS target, r.client AS client, CAST(1 AS BIGINT) AS n_requests,
  r.asked_wait_ms - CAST((r.wait_us - MOD(r.wait_us, 1000)) / 1000 AS BIGINT) AS n_measure, f.ts AS ts, r.source AS source,
  r.line AS line
FROM retries r
JOIN failing_requests f ON f.source = r.source AND f.line = r.line AND f.part = r.part
WHERE r.is_early;
