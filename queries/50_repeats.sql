-- Avoidable repeats that may make a storm: those that no protocol provides for.
-- Grain: one row per such request; `is_answered_later` says that its operation is answered well later in the episode.
-- Reads gate_replay, watched_requests, sanctioned_requests.
WITH
last_answers AS (
  SELECT client AS client, operation AS operation, episode AS episode, MAX(seq) AS last_good_seq
  FROM watched_requests
  WHERE is_good
  GROUP BY client, operation, episode
)
SELECT
  g.client AS client,
  g.seq AS seq,
  w.episode AS episode,
  g.operation AS operation,
  g.family AS family,
  g.lifted_by AS lifted_by,
  w.at_us AS at_us,
  w.source AS source,
  w.line AS line,
  w.part AS part,
  COALESCE(l.last_good_seq, 0) > g.seq AS is_answered_later
FROM gate_replay g
JOIN watched_requests w ON w.client = g.client AND w.seq = g.seq
LEFT JOIN sanctioned_requests s ON s.client = g.client AND s.seq = g.seq
LEFT JOIN last_answers l ON l.client = g.client AND l.operation = g.operation AND l.episode = w.episode
WHERE g.outcome = 'avoidable' AND COALESCE(s.is_sanctioned, FALSE) = FALSE;
