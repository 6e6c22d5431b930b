-- What clients with enough dead-session refusals did on MCP endpoints, cut where they were answered well.
-- Grain: one row per request; `stretch_no` counts the good answers of the endpoint to the client before it.
-- Reads watched_requests, known_requests, known_targets, answers, source_ranks; settings stale_session_min_refusals.
WITH
stale_counts AS (
  SELECT client AS client, COUNT(*) AS n_refusals
  FROM watched_requests
  WHERE family = 3 AND lifted_by = 4
  GROUP BY client
),
stale_clients AS (
  SELECT c.client AS client
  FROM stale_counts c
  CROSS JOIN settings s
  WHERE c.n_refusals >= s.stale_session_min_refusals
)
SELECT
  r.client AS client, t.endpoint AS endpoint, r.source AS source, r.line AS line, r.part AS part,
  a.family = 3 AND a.lifted_by = 4 AS is_stale,
  a.is_good AS is_good,
  a.gives = 4 AS is_handshake,
  CAST(
    SUM(CASE WHEN a.is_good THEN 1 ELSE 0 END) OVER (
      PARTITION BY r.client, t.endpoint
      ORDER BY r.at_us NULLS LAST, k.source_rank NULLS LAST, r.line NULLS LAST, r.part NULLS LAST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - CASE WHEN a.is_good THEN 1 ELSE 0 END AS BIGINT
  ) AS stretch_no
FROM known_requests r
JOIN stale_clients c ON c.client = r.client
JOIN known_targets t ON t.target = r.target
JOIN answers a ON a.target = r.target AND a.signal = r.signal
JOIN source_ranks k ON k.source = r.source
WHERE t.endpoint IS NOT NULL AND NOT a.is_noise;
