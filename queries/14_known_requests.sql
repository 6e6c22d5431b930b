-- The requests that the report is about, each with the client it counts for. Kept as a view.
-- Grain: one row per request between since and until, of the chosen client if one is chosen.
-- Reads dated_requests, client_moves, client_switches.
SELECT
  r.source AS source, r.line AS line, r.part AS part, r.ts AS ts, r.duration_us AS duration_us,
  CASE
    WHEN COALESCE(w.is_switched, FALSE) THEN w.client
    WHEN COALESCE(m.is_moved, FALSE) THEN m.client
    ELSE r.line_client
  END AS client,
  r.session_token AS session_token, r.target AS target, r.operation AS operation, r.signal AS signal,
  r.request_bytes AS request_bytes, r.response_bytes AS response_bytes, r.retry_after_ms AS retry_after_ms,
  r.attempts AS attempts, r.arguments_hash AS arguments_hash, r.correlation AS correlation,
  r.at_us AS at_us, r.bucket AS bucket
FROM dated_requests r
LEFT JOIN client_moves m ON m.line_client = r.line_client
LEFT JOIN client_switches w ON w.line_client = r.line_client AND w.bucket = r.bucket
WHERE CASE WHEN COALESCE(w.is_switched, FALSE) THEN w.is_chosen ELSE COALESCE(m.is_left_out, FALSE) = FALSE END;
