-- All requests of operations that their client was ever refused.
-- Grain: one row per such request.
-- Reads known_requests, refused_operations.
SELECT
  r.client AS client, r.source AS source, r.line AS line, r.part AS part, r.ts AS ts, r.at_us AS at_us, r.bucket AS bucket,
  r.duration_us AS duration_us, r.session_token AS session_token, r.target AS target, r.operation AS operation,
  r.signal AS signal, r.response_bytes AS response_bytes, TRUE AS is_judged
FROM known_requests r
JOIN refused_operations o ON o.client = r.client AND o.operation = r.operation
WHERE o.n_refused > 0;
