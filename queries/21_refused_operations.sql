-- The operations that a client was ever refused, or that ever failed: only these are looked at request by request.
-- Grain: one row per (client, operation); `n_refused` answers fill a memory, `n_failed` speak of the moment, `n_asked` name a wait.
-- Reads known_requests, answers.
SELECT
  r.client AS client,
  r.operation AS operation,
  MIN(r.target) AS target,
  CAST(SUM(CASE WHEN a.memory > 0 THEN 1 ELSE 0 END) AS BIGINT) AS n_refused,
  CAST(SUM(CASE WHEN a.memory = 0 THEN 1 ELSE 0 END) AS BIGINT) AS n_failed,
  CAST(SUM(CASE WHEN a.is_throttled THEN 1 ELSE 0 END) AS BIGINT) AS n_throttled,
  CAST(SUM(CASE WHEN a.is_throttled AND r.retry_after_ms IS NOT NULL THEN 1 ELSE 0 END) AS BIGINT) AS n_asked,
  MAX(a.lifted_by = 1 OR a.family = 1) AS needs_rpc_reads,
  MAX(a.lifted_by = 2 OR a.family = 1) AS needs_document_reads,
  MAX(a.lifted_by = 3) AS needs_tokens,
  MAX(a.lifted_by = 4) AS needs_handshakes,
  MAX(a.is_probe AND a.memory > 0) AS needs_probes
FROM known_requests r
JOIN answers a ON a.target = r.target AND a.signal = r.signal
WHERE a.is_watched
GROUP BY r.client, r.operation;
