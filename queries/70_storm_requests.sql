-- The requests of all storms, each with what the gate would have done with it.
-- Grain: one row per claimed request; `outcome` is under_gate (sent), avoidable, harm or overrun.
-- Reads the last claims, gate_replay, retries, watched_sessions, source_ranks.
SELECT
  c.storm_kind AS storm_kind,
  c.client AS client, c.episode AS episode, c.source AS source, c.line AS line, c.part AS part, k.source_rank AS source_rank,
  c.ts AS ts, c.at_us AS at_us, c.ended_us AS ended_us, c.target AS target, c.operation AS operation, c.signal AS signal, c.seq AS seq,
  COALESCE(s.session_token, CAST(0 AS BIGINT)) AS session_token,
  CASE
    WHEN COALESCE(g.outcome, '') IN ('avoidable', 'harm') THEN g.outcome
    WHEN COALESCE(r.is_overrun, FALSE) THEN 'overrun'
    ELSE 'under_gate'
  END AS outcome
FROM semantic_repeat_claims c
JOIN source_ranks k ON k.source = c.source
LEFT JOIN gate_replay g ON g.client = c.client AND g.seq = c.seq
LEFT JOIN retries r ON r.client = c.client AND r.seq = c.seq
LEFT JOIN watched_sessions s ON s.client = c.client AND s.seq = c.seq;
