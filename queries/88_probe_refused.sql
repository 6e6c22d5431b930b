-- Monitors that are refused: what they come to know, and never for a gate to hold.
-- Grain: one row per refusal of a monitor.
-- Reads monitors, watched_requests.
SELECT
  'probe_refused' AS rule, w.target AS subject, w.target AS target, w.client AS client, CAST(1 AS BIGINT) AS n_requests,
  CAST(0 AS BIGINT) AS n_measure, w.ts AS ts, w.source AS source, w.line AS line
FROM watched_requests w
JOIN monitors m ON m.client = w.client
WHERE w.memory > 0;
