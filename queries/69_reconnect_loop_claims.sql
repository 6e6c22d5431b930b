-- Storms of reconnect_loop: event streams that end at once and are opened again, without a single refusal.
-- Grain: one row per request claimed by this or an earlier kind: the GETs of one endpoint or stream answered well, most of them close together.
-- Reads stream_requests, episodes, semantic_repeat_claims; settings reconnect_loop_min_requests, reconnect_loop_gap_ms.
WITH
streams AS (
  SELECT
    r.client AS client, e.episode AS episode, r.operation AS operation, r.source AS source, r.line AS line, r.part AS part, r.ts AS ts,
    LAG(r.ts, 1, CAST(-9000000000000000 AS BIGINT)) OVER (PARTITION BY r.client, e.episode, r.operation ORDER BY r.ts NULLS LAST) AS ts_before
  FROM stream_requests r
  JOIN episodes e ON e.client = r.client AND e.bucket = r.bucket
  LEFT JOIN semantic_repeat_claims c ON c.source = r.source AND c.line = r.line AND c.part = r.part
  WHERE c.storm_kind IS NULL
),
counted AS (
  SELECT
    w.client AS client, w.episode AS episode, w.source AS source, w.line AS line, w.part AS part,
    COUNT(*) OVER (PARTITION BY w.client, w.episode, w.operation) AS n_requests,
    SUM(CASE WHEN w.ts - w.ts_before <= s.reconnect_loop_gap_ms * 1000 THEN 1 ELSE 0 END)
      OVER (PARTITION BY w.client, w.episode, w.operation) AS n_near
  FROM streams w
  CROSS JOIN settings s
)
SELECT
  storm_kind AS storm_kind, client AS client, episode AS episode, source AS source, line AS line, part AS part
FROM semantic_repeat_claims
UNION ALL
SELECT
  'reconnect_loop' AS storm_kind,
  c.client AS client, c.episode AS episode, c.source AS source, c.line AS line, c.part AS part
FROM counted c
CROSS JOIN settings s
WHERE c.n_requests >= s.reconnect_loop_min_requests AND c.n_near * 2 >= c.n_requests - 1;
