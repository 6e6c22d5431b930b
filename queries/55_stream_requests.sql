-- Streams that were opened: GETs answered with 2xx on an MCP endpoint, or with an event stream, of operations asked for often enough to matter.
-- Grain: one row per such request with a stamp.
-- Reads known_requests, known_targets, signals, answers; settings reconnect_loop_min_requests.
WITH
opened AS (
  SELECT
    r.client AS client, r.operation AS operation, r.bucket AS bucket, r.source AS source, r.line AS line, r.part AS part, r.ts AS ts,
    COUNT(*) OVER (PARTITION BY r.client, r.operation) AS n_requests
  FROM known_requests r
  JOIN known_targets t ON t.target = r.target
  JOIN signals g ON g.id = r.signal
  JOIN answers a ON a.target = r.target AND a.signal = r.signal
  WHERE t.http_method = 'GET' AND g.status BETWEEN 200 AND 299 AND a.kind = 'ok' AND (t.endpoint IS NOT NULL OR g.is_stream = 'yes')
    AND r.ts IS NOT NULL
)
SELECT
  o.client AS client, o.operation AS operation, o.bucket AS bucket, o.source AS source, o.line AS line, o.part AS part, o.ts AS ts
FROM opened o
CROSS JOIN settings s
WHERE o.n_requests >= s.reconnect_loop_min_requests;
