-- Requests of other operations that may lift those refusals, or that belong to the same probes.
-- Grain: one row per such request.
-- Reads known_requests, answers, refused_operations.
WITH
client_needs AS (
  SELECT
    client AS client,
    MAX(needs_rpc_reads) AS needs_rpc_reads, MAX(needs_document_reads) AS needs_document_reads, MAX(needs_tokens) AS needs_tokens,
    MAX(needs_handshakes) AS needs_handshakes, MAX(needs_probes) AS needs_probes
  FROM refused_operations
  WHERE n_refused > 0
  GROUP BY client
),
refused AS (
  SELECT client AS client, operation AS operation, TRUE AS is_refused
  FROM refused_operations
  WHERE n_refused > 0
)
SELECT
  r.client AS client, r.source AS source, r.line AS line, r.part AS part, r.ts AS ts, r.at_us AS at_us, r.bucket AS bucket,
  r.duration_us AS duration_us, r.session_token AS session_token, r.target AS target, r.operation AS operation,
  r.signal AS signal, r.response_bytes AS response_bytes, FALSE AS is_judged
FROM known_requests r
JOIN answers a ON a.target = r.target AND a.signal = r.signal
JOIN client_needs n ON n.client = r.client
LEFT JOIN refused o ON o.client = r.client AND o.operation = r.operation
WHERE COALESCE(o.is_refused, FALSE) = FALSE
  AND (a.gives > 0 OR a.is_probe)
  AND (
    (a.gives IN (1, 4) AND n.needs_rpc_reads) OR (a.gives = 2 AND n.needs_document_reads) OR (a.gives = 3 AND n.needs_tokens)
    OR (a.gives = 4 AND n.needs_handshakes) OR (a.is_probe AND n.needs_probes)
  );
