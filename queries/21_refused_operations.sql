-- The operations that a client was ever refused, or that ever failed: only these are looked at request by request.
-- Grain: one row per (client, operation).
-- Reads known_requests, answers.
SELECT
  r.client AS client,
  r.operation AS operation,
  MIN(r.target) AS target,
  CAST(COUNT(*) AS BIGINT) AS n_refused,
  MAX(a.is_throttled OR a.is_transient) AS has_failures,
  MAX(a.lifted_by = 1 OR a.family = 1) AS needs_rpc_reads,
  MAX(a.lifted_by = 2 OR a.family = 1) AS needs_document_reads,
  MAX(a.lifted_by = 3) AS needs_tokens,
  MAX(a.lifted_by = 4) AS needs_handshakes,
  MAX(a.is_probe) AS needs_probes
FROM known_requests r
JOIN answers a ON a.target = r.target AND a.signal = r.signal
WHERE a.is_watched
GROUP BY r.client, r.operation;
