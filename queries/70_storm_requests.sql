-- The requests of all storms, each with what the gate would have done with it.
-- Grain: one row per claimed request; `outcome` is under_gate (sent), avoidable, harm or overrun.
-- Reads reconnect_loop_claims (the last kind's), known_requests, gate_replay, retries, source_ranks.
SELECT
  c.storm_kind AS storm_kind,
  c.client AS client, c.episode AS episode, c.source AS source, c.line AS line, c.part AS part, k.source_rank AS source_rank,
  r.ts AS ts, r.at_us AS at_us, r.at_us + COALESCE(r.duration_us, 0) AS ended_us, r.target AS target, r.signal AS signal,
  r.session_token AS session_token,
  CASE
    WHEN COALESCE(g.outcome, '') IN ('avoidable', 'harm') THEN g.outcome
    WHEN COALESCE(x.is_overrun, FALSE) THEN 'overrun'
    ELSE 'under_gate'
  END AS outcome
FROM reconnect_loop_claims c
JOIN known_requests r ON r.source = c.source AND r.line = c.line AND r.part = c.part
JOIN source_ranks k ON k.source = c.source
LEFT JOIN gate_replay g ON g.source = c.source AND g.line = c.line AND g.part = c.part
LEFT JOIN retries x ON x.source = c.source AND x.line = c.line AND x.part = c.part;
