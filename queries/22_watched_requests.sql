-- The requests that the steps from here on walk: all of refused operations, and what else lifts their refusals or belongs to their probes.
-- Grain: one row per request of those; `seq` is its place among the client's.
-- Reads known_requests, answers, refused_operations, known_targets, source_ranks, episodes.
WITH
client_needs AS (
  SELECT
    client AS client,
    MAX(needs_rpc_reads) AS needs_rpc_reads, MAX(needs_document_reads) AS needs_document_reads, MAX(needs_tokens) AS needs_tokens,
    MAX(needs_handshakes) AS needs_handshakes, MAX(needs_probes) AS needs_probes
  FROM refused_operations
  GROUP BY client
),
operation_requests AS (
  SELECT
    r.client AS client, r.source AS source, r.line AS line, r.part AS part, r.ts AS ts, r.at_us AS at_us, r.bucket AS bucket,
    r.duration_us AS duration_us, r.session_token AS session_token, r.target AS target, r.operation AS operation,
    r.signal AS signal, r.response_bytes AS response_bytes, r.retry_after_ms AS retry_after_ms, o.has_failures AS has_failures,
    TRUE AS is_judged
  FROM known_requests r
  JOIN refused_operations o ON o.client = r.client AND o.operation = r.operation
),
other_requests AS (
  SELECT
    r.client AS client, r.source AS source, r.line AS line, r.part AS part, r.ts AS ts, r.at_us AS at_us, r.bucket AS bucket,
    r.duration_us AS duration_us, r.session_token AS session_token, r.target AS target, r.operation AS operation,
    r.signal AS signal, r.response_bytes AS response_bytes, r.retry_after_ms AS retry_after_ms, FALSE AS has_failures,
    FALSE AS is_judged
  FROM known_requests r
  JOIN answers a ON a.target = r.target AND a.signal = r.signal
  JOIN client_needs n ON n.client = r.client
  LEFT JOIN refused_operations o ON o.client = r.client AND o.operation = r.operation
  WHERE COALESCE(o.n_refused, 0) = 0
    AND (a.gives > 0 OR a.is_probe)
    AND (
      (a.gives IN (1, 4) AND n.needs_rpc_reads) OR (a.gives = 2 AND n.needs_document_reads) OR (a.gives = 3 AND n.needs_tokens)
      OR (a.gives = 4 AND n.needs_handshakes) OR (a.is_probe AND n.needs_probes)
    )
),
requests_once AS (
  SELECT
    client AS client, source AS source, line AS line, part AS part, ts AS ts, at_us AS at_us, bucket AS bucket,
    duration_us AS duration_us, session_token AS session_token, target AS target, operation AS operation, signal AS signal,
    response_bytes AS response_bytes, retry_after_ms AS retry_after_ms, has_failures AS has_failures, is_judged AS is_judged
  FROM operation_requests
  UNION ALL
  SELECT
    client AS client, source AS source, line AS line, part AS part, ts AS ts, at_us AS at_us, bucket AS bucket,
    duration_us AS duration_us, session_token AS session_token, target AS target, operation AS operation, signal AS signal,
    response_bytes AS response_bytes, retry_after_ms AS retry_after_ms, has_failures AS has_failures, is_judged AS is_judged
  FROM other_requests
)
SELECT
  r.client AS client,
  CAST(ROW_NUMBER() OVER (
    PARTITION BY r.client
    ORDER BY r.at_us NULLS LAST, k.source_rank NULLS LAST, r.line NULLS LAST, r.part NULLS LAST
  ) AS BIGINT) AS seq,
  e.episode AS episode,
  r.source AS source, r.line AS line, r.part AS part, r.ts AS ts, r.at_us AS at_us,
  r.at_us + COALESCE(r.duration_us, 0) AS ended_us,
  r.session_token AS session_token, r.target AS target, r.operation AS operation, r.signal AS signal,
  r.duration_us AS duration_us, r.response_bytes AS response_bytes, r.retry_after_ms AS retry_after_ms,
  t.authority_id AS authority_id, t.route AS route,
  a.memory AS memory, a.family AS family, a.lifted_by AS lifted_by, a.gives AS gives,
  a.is_good AS is_good, a.is_throttled AS is_throttled, a.is_transient AS is_transient, a.is_probe AS is_probe,
  r.has_failures AS has_failures, r.is_judged AS is_judged
FROM requests_once r
JOIN answers a ON a.target = r.target AND a.signal = r.signal
JOIN known_targets t ON t.target = r.target
JOIN episodes e ON e.client = r.client AND e.bucket = r.bucket
JOIN source_ranks k ON k.source = r.source
WHERE NOT a.is_noise;
