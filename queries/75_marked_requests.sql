-- Requests of which more is known than their answer: a memory holds them, they go beyond the budget, or a storm has them. Kept as a view.
-- Grain: one row per such request; `held_kind` and `storm_kind` are empty where there is none, `fate` is sent, avoidable, harm or overrun.
-- Reads gate_replay, watched_requests, retries, failing_requests, storm_requests.
WITH
marks AS (
  SELECT
    w.source AS source, w.line AS line, w.part AS part, w.client AS client, w.ts AS ts, w.target AS target, w.signal AS signal,
    g.kind AS held_kind, g.outcome AS outcome, '' AS storm_kind, CAST(0 AS BIGINT) AS episode
  FROM gate_replay g
  JOIN watched_requests w ON w.client = g.client AND w.seq = g.seq
  UNION ALL
  SELECT
    f.source AS source, f.line AS line, f.part AS part, f.client AS client, f.ts AS ts, f.target AS target, f.signal AS signal,
    '' AS held_kind, 'overrun' AS outcome, '' AS storm_kind, CAST(0 AS BIGINT) AS episode
  FROM retries x
  JOIN failing_requests f ON f.source = x.source AND f.line = x.line AND f.part = x.part
  WHERE x.is_overrun
  UNION ALL
  SELECT
    source AS source, line AS line, part AS part, client AS client, ts AS ts, target AS target, signal AS signal,
    '' AS held_kind, '' AS outcome, storm_kind AS storm_kind, episode AS episode
  FROM storm_requests
)
SELECT
  source AS source, line AS line, part AS part,
  MIN(client) AS client, MIN(ts) AS ts, MIN(target) AS target, MIN(signal) AS signal,
  MAX(held_kind) AS held_kind,
  CASE
    WHEN MAX(CASE WHEN outcome = 'avoidable' THEN 1 ELSE 0 END) = 1 THEN 'avoidable'
    WHEN MAX(CASE WHEN outcome = 'harm' THEN 1 ELSE 0 END) = 1 THEN 'harm'
    WHEN MAX(CASE WHEN outcome = 'overrun' THEN 1 ELSE 0 END) = 1 THEN 'overrun'
    ELSE 'sent'
  END AS fate,
  MAX(storm_kind) AS storm_kind,
  MAX(CASE WHEN storm_kind <> '' THEN episode ELSE CAST(-9000000000000000 AS BIGINT) END) AS episode
FROM marks
GROUP BY source, line, part;
