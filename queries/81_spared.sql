-- What the avoidable requests cost: bytes, server time, and the time from the first of a run to its last answer.
-- Grain: one row per (client, operation, memory, run) with avoidable requests.
-- Reads gate_replay, watched_requests.
SELECT
  g.client AS client,
  g.operation AS operation,
  g.memory AS memory,
  g.run_no AS run_no,
  CAST(COUNT(*) AS BIGINT) AS n_avoidable,
  CAST(SUM(COALESCE(w.response_bytes, 0)) AS BIGINT) AS response_bytes,
  CAST(SUM(COALESCE(w.duration_us, 0)) AS BIGINT) AS server_us,
  CAST(COALESCE(MAX(CASE WHEN w.ts IS NOT NULL THEN w.ended_us END) - MIN(w.ts), 0) AS BIGINT) AS client_wait_us
FROM gate_replay g
JOIN watched_requests w ON w.client = g.client AND w.seq = g.seq
WHERE g.outcome = 'avoidable'
GROUP BY g.client, g.operation, g.memory, g.run_no;
