-- Storms of stale_session: a session that was answered well once, is dead, and is used again and again without a handshake.
-- Grain: one row per request claimed by this or an earlier kind: the dead-session refusals of one endpoint between good answers.
-- Reads endpoint_requests, watched_requests, path_guessing_claims; settings stale_session_min_refusals.
WITH
stretches AS (
  SELECT
    e.client AS client, e.endpoint AS endpoint, e.stretch_no AS stretch_no,
    SUM(CASE WHEN e.is_stale AND c.storm_kind IS NULL THEN 1 ELSE 0 END) AS n_refusals,
    SUM(CASE WHEN e.is_good AND NOT e.is_handshake THEN 1 ELSE 0 END) AS n_answered
  FROM endpoint_requests e
  LEFT JOIN path_guessing_claims c ON c.source = e.source AND c.line = e.line AND c.part = e.part
  WHERE e.stretch_no > 0
  GROUP BY e.client, e.endpoint, e.stretch_no
),
storms AS (
  SELECT t.client AS client, t.endpoint AS endpoint, t.stretch_no AS stretch_no
  FROM stretches t
  CROSS JOIN settings s
  WHERE t.n_refusals >= s.stale_session_min_refusals AND t.n_answered = 0
)
SELECT
  storm_kind AS storm_kind, client AS client, episode AS episode, source AS source, line AS line, part AS part
FROM path_guessing_claims
UNION ALL
SELECT
  'stale_session' AS storm_kind,
  w.client AS client, w.episode AS episode, w.source AS source, w.line AS line, w.part AS part
FROM endpoint_requests e
JOIN storms s ON s.client = e.client AND s.endpoint = e.endpoint AND s.stretch_no = e.stretch_no
JOIN watched_requests w ON w.source = e.source AND w.line = e.line AND w.part = e.part
LEFT JOIN path_guessing_claims c ON c.source = e.source AND c.line = e.line AND c.part = e.part
WHERE c.storm_kind IS NULL AND e.is_stale;
