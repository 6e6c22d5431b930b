-- What one kind of answer of one target means for the steps: its verdict, the memory it joins, the lift it gives.
-- Grain: one row per (target, signal) with a verdict. `memory` numbers a memory (family, lift, need), the strongest lowest; 0 is none.
-- Reads verdicts, known_targets, signals.
WITH
judged AS (
  SELECT
    v.target AS target, v.signal AS signal, v.kind AS kind, v.reason AS reason, v.advice AS advice, v.confidence AS confidence,
    v.need AS need,
    t.probe_role NOT IN ('none', 'noise', 'health', 'poll') AS is_probe,
    t.probe_role = 'noise' OR COALESCE(t.http_method, '') = 'OPTIONS' AS is_exempt,
    CASE v.memory_family
      WHEN 'authoritative' THEN 1 WHEN 'semantic' THEN 2 WHEN 'corrective' THEN 3 WHEN 'auth' THEN 4 WHEN 'ambiguous' THEN 5 ELSE 0
    END AS family_rank,
    CASE v.lifted_by
      WHEN 'rpc_read' THEN 1 WHEN 'document_read' THEN 2 WHEN 'token' THEN 3 WHEN 'handshake' THEN 4 ELSE 0
    END AS lift_rank,
    CASE
      WHEN t.probe_role = 'initialize' OR t.gives = 'handshake' THEN 4
      WHEN t.gives = 'rpc_read' THEN 1 WHEN t.gives = 'document_read' THEN 2 WHEN t.gives = 'token' THEN 3 ELSE 0
    END AS gift,
    v.kind = 'ok'
      AND (
        s.status IS NULL OR s.status = 304 OR (s.status BETWEEN 200 AND 299 AND s.status <> 202)
        OR (s.status = 202 AND COALESCE(t.rpc_method, '') LIKE 'notifications/%')
      ) AS is_good
  FROM verdicts v
  JOIN known_targets t ON t.target = v.target
  JOIN signals s ON s.id = v.signal
)
SELECT
  target AS target, signal AS signal, kind AS kind, reason AS reason, advice AS advice, confidence AS confidence,
  CAST(CASE WHEN is_exempt OR family_rank = 0 THEN 0 ELSE family_rank * 100 + lift_rank * 10 + need END AS BIGINT) AS memory,
  CAST(CASE WHEN is_exempt THEN 0 ELSE family_rank END AS BIGINT) AS family,
  CAST(CASE WHEN is_exempt THEN 0 ELSE lift_rank END AS BIGINT) AS lifted_by,
  CAST(CASE WHEN is_good THEN gift ELSE 0 END AS BIGINT) AS gives,
  is_good AS is_good,
  kind = 'throttled' AND NOT is_exempt AS is_throttled,
  kind = 'transient' AND NOT is_exempt AS is_transient,
  kind = 'noise' AS is_noise,
  is_probe AND NOT is_exempt AS is_probe,
  NOT is_exempt AND (family_rank > 0 OR kind IN ('throttled', 'transient')) AS is_watched
FROM judged;
