-- Retries that came before the wait the server had asked for was over.
-- Grain: one row per (client, operation); `n_measure` is the longest wait asked for, in milliseconds.
-- Reads retries, failing_requests.
WITH
early AS (
  SELECT
    r.client AS client, r.operation AS operation, f.target AS target, r.asked_wait_ms AS asked_wait_ms, r.source AS source,
    r.line AS line,
    ROW_NUMBER() OVER (PARTITION BY r.client, r.operation ORDER BY f.place NULLS LAST) AS early_no
  FROM retries r
  JOIN failing_requests f ON f.source = r.source AND f.line = r.line AND f.part = r.part
  WHERE r.is_early
)
SELECT
  MIN(target) AS subject,
  MIN(target) AS target,
  client AS client,
  CAST(COUNT(*) AS BIGINT) AS n_requests,
  MAX(asked_wait_ms) AS n_measure,
  CAST(SUM(CASE WHEN early_no = 1 THEN source ELSE 0 END) AS BIGINT) AS source,
  CAST(SUM(CASE WHEN early_no = 1 THEN line ELSE 0 END) AS BIGINT) AS line
FROM early
GROUP BY client, operation;
