-- Requests as people read them: who asked what, what the answer says, what the sequence says, what the gate would have done. Kept as a view.
-- Grain: one row per request between since and until, of the chosen client if one is chosen; the sequence is told of watched requests only.
-- Reads known_requests, known_clients, known_targets, signals, answers, source_ranks, gate_replay, retries, watched_requests, discovery_levels, probe_families, follow_ups, hindsights.
WITH
contexts AS (
  SELECT
    w.source AS source, w.line AS line, w.part AS part, d.discovery_level AS discovery_level, p.probe_family AS probe_family,
    p.probe_maximum AS probe_maximum, COALESCE(p.is_sanctioned, FALSE) AS is_sanctioned, COALESCE(f.is_follow_up, FALSE) AS is_follow_up,
    h.hindsight AS hindsight
  FROM watched_requests w
  LEFT JOIN discovery_levels d ON d.client = w.client AND d.seq = w.seq
  LEFT JOIN probe_families p ON p.client = w.client AND p.seq = w.seq
  LEFT JOIN follow_ups f ON f.client = w.client AND f.seq = w.seq
  LEFT JOIN hindsights h ON h.client = w.client AND h.seq = w.seq
)
SELECT
  k.name AS source, r.line AS line, r.part AS part, r.ts AS ts, r.duration_us AS duration_us, c.key AS client,
  r.session_token AS session_token, t.authority AS authority, t.http_method AS http_method, t.path AS path,
  t.rpc_method AS rpc_method, t.rpc_name AS rpc_name, t.declared AS declared, s.status AS status, s.rpc_code AS rpc_code,
  s.tool_error AS tool_error, s.protocol_version AS protocol_version, r.request_bytes AS request_bytes,
  r.response_bytes AS response_bytes, r.retry_after_ms AS retry_after_ms, r.attempts AS attempts,
  COALESCE(a.kind, 'ambiguous') AS kind, a.reason AS reason, a.advice AS advice, a.confidence AS confidence,
  CASE x.discovery_level WHEN 0 THEN 'R0' WHEN 1 THEN 'R1' WHEN 2 THEN 'R2' WHEN 3 THEN 'R3' END AS discovery,
  x.probe_family AS probe_family, x.probe_maximum AS probe_maximum, x.is_sanctioned AS is_sanctioned, x.is_follow_up AS is_follow_up,
  x.hindsight AS hindsight,
  COALESCE(g.outcome, 'under_gate') AS outcome, COALESCE(o.is_overrun, FALSE) AS is_overrun
FROM known_requests r
JOIN source_ranks k ON k.source = r.source
JOIN known_clients c ON c.line_client = r.client
JOIN known_targets t ON t.target = r.target
JOIN signals s ON s.id = r.signal
LEFT JOIN answers a ON a.target = r.target AND a.signal = r.signal
LEFT JOIN gate_replay g ON g.source = r.source AND g.line = r.line AND g.part = r.part
LEFT JOIN retries o ON o.source = r.source AND o.line = r.line AND o.part = r.part
LEFT JOIN contexts x ON x.source = r.source AND x.line = r.line AND x.part = r.part;
