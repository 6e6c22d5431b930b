-- Monitors that are refused: what they come to know, and never for a gate to hold.
-- Grain: one row per (monitor, operation); `n_measure` is the number of its requests in all.
-- Reads monitors, watched_requests.
WITH
refused AS (
  SELECT
    w.client AS client, w.operation AS operation, MIN(w.target) AS target, COUNT(*) AS n_requests, MIN(w.seq) AS first_seq,
    MAX(m.n_requests) AS n_monitored
  FROM watched_requests w
  JOIN monitors m ON m.client = w.client
  WHERE w.memory > 0
  GROUP BY w.client, w.operation
)
SELECT
  r.target AS subject, r.target AS target, r.client AS client, CAST(r.n_requests AS BIGINT) AS n_requests,
  CAST(r.n_monitored AS BIGINT) AS n_measure, w.source AS source, w.line AS line
FROM refused r
JOIN watched_requests w ON w.client = r.client AND w.seq = r.first_seq;
