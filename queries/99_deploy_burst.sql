-- A restart as clients see it: most of those active are refused once what worked before, and it works again. Harmless.
-- Grain: one row per such refusal; `subject` is when it began.
-- Reads refusal_bursts, known_requests, known_targets; settings deploy_burst_min_share_percent.
WITH
moments AS (
  SELECT authority_id AS authority_id, burst_us AS burst_us, bucket AS bucket
  FROM refusal_bursts
  GROUP BY authority_id, burst_us, bucket
),
active AS (
  SELECT m.authority_id AS authority_id, m.burst_us AS burst_us, r.client AS client
  FROM moments m
  JOIN known_targets t ON t.authority_id = m.authority_id
  JOIN known_requests r ON r.target = t.target AND r.bucket = m.bucket
  GROUP BY m.authority_id, m.burst_us, r.client
),
counted AS (
  SELECT authority_id AS authority_id, burst_us AS burst_us, COUNT(*) AS n_active
  FROM active
  GROUP BY authority_id, burst_us
)
SELECT
  'deploy_burst' AS rule, b.burst_us AS subject, b.target AS target, b.client AS client, CAST(1 AS BIGINT) AS n_requests,
  CAST(0 AS BIGINT) AS n_measure, b.ts AS ts, b.source AS source, b.line AS line
FROM refusal_bursts b
CROSS JOIN settings s
JOIN counted c ON c.authority_id = b.authority_id AND c.burst_us = b.burst_us
WHERE b.n_clients * 100 >= c.n_active * s.deploy_burst_min_share_percent;
