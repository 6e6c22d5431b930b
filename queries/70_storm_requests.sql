-- The requests of all storms, each with what the gate would have done with it.
-- Grain: one row per claimed request; `outcome` is under_gate (sent), avoidable, harm or overrun.
-- Reads semantic_repeat_claims (the last kind's), watched_requests, failing_requests, gate_replay, retries, source_ranks.
WITH
claimed AS (
  SELECT
    c.storm_kind AS storm_kind, c.client AS client, c.episode AS episode, c.source AS source, c.line AS line, c.part AS part,
    w.ts AS ts, w.at_us AS at_us, w.ended_us AS ended_us, w.target AS target, w.signal AS signal, w.session_token AS session_token
  FROM semantic_repeat_claims c
  JOIN watched_requests w ON w.source = c.source AND w.line = c.line AND w.part = c.part
  WHERE c.storm_kind NOT IN ('throttle_hammering', 'transient_hammering')
  UNION ALL
  SELECT
    c.storm_kind AS storm_kind, c.client AS client, c.episode AS episode, c.source AS source, c.line AS line, c.part AS part,
    f.ts AS ts, f.at_us AS at_us, f.ended_us AS ended_us, f.target AS target, f.signal AS signal, f.session_token AS session_token
  FROM semantic_repeat_claims c
  JOIN failing_requests f ON f.source = c.source AND f.line = c.line AND f.part = c.part
  WHERE c.storm_kind IN ('throttle_hammering', 'transient_hammering')
)
SELECT
  c.storm_kind AS storm_kind,
  c.client AS client, c.episode AS episode, c.source AS source, c.line AS line, c.part AS part, k.source_rank AS source_rank,
  c.ts AS ts, c.at_us AS at_us, c.ended_us AS ended_us, c.target AS target, c.signal AS signal, c.session_token AS session_token,
  CASE
    WHEN COALESCE(g.outcome, '') IN ('avoidable', 'harm') THEN g.outcome
    WHEN COALESCE(x.is_overrun, FALSE) THEN 'overrun'
    ELSE 'under_gate'
  END AS outcome
FROM claimed c
JOIN source_ranks k ON k.source = c.source
LEFT JOIN gate_replay g ON g.source = c.source AND g.line = c.line AND g.part = c.part
LEFT JOIN retries x ON x.source = c.source AND x.line = c.line AND x.part = c.part;
