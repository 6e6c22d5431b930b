-- Storms of redirect_loop: one redirect taken again and again although what it leads to never answers well; over several paths too.
-- Grain: one row per request claimed by this or an earlier kind: such redirects, and the requests that took them.
-- Reads fruitless_redirects, known_requests, answers, episodes, transient_hammering_claims; settings redirect_loop_min_requests.
WITH
followers AS (
  SELECT client AS client, next_operation AS next_operation
  FROM fruitless_redirects
  GROUP BY client, next_operation
),
answered AS (
  SELECT r.client AS client, r.operation AS operation, e.episode AS episode, TRUE AS is_answered
  FROM known_requests r
  JOIN followers f ON f.client = r.client AND f.next_operation = r.operation
  JOIN answers a ON a.target = r.target AND a.signal = r.signal
  JOIN episodes e ON e.client = r.client AND e.bucket = r.bucket
  WHERE a.is_good
  GROUP BY r.client, r.operation, e.episode
),
counted AS (
  SELECT
    d.client AS client, e.episode AS episode, d.source AS source, d.line AS line, d.part AS part, d.next_source AS next_source,
    d.next_line AS next_line, d.next_part AS next_part,
    COUNT(*) OVER (PARTITION BY d.client, e.episode, d.operation, d.next_operation) AS n_times
  FROM fruitless_redirects d
  JOIN episodes e ON e.client = d.client AND e.bucket = d.bucket
  LEFT JOIN answered a ON a.client = d.client AND a.operation = d.next_operation AND a.episode = e.episode
  LEFT JOIN transient_hammering_claims c ON c.source = d.source AND c.line = d.line AND c.part = d.part
  LEFT JOIN transient_hammering_claims n ON n.source = d.next_source AND n.line = d.next_line AND n.part = d.next_part
  WHERE COALESCE(a.is_answered, FALSE) = FALSE AND c.storm_kind IS NULL AND n.storm_kind IS NULL
),
sides AS (
  SELECT CAST(0 AS BIGINT) AS side
  UNION ALL
  SELECT CAST(1 AS BIGINT) AS side
),
looped AS (
  SELECT
    t.client AS client, t.episode AS episode,
    CASE WHEN x.side = 0 THEN t.source ELSE t.next_source END AS source,
    CASE WHEN x.side = 0 THEN t.line ELSE t.next_line END AS line,
    CASE WHEN x.side = 0 THEN t.part ELSE t.next_part END AS part
  FROM counted t
  CROSS JOIN settings s
  CROSS JOIN sides x
  WHERE t.n_times >= s.redirect_loop_min_requests
)
SELECT
  storm_kind AS storm_kind, client AS client, episode AS episode, source AS source, line AS line, part AS part
FROM transient_hammering_claims
UNION ALL
SELECT
  'redirect_loop' AS storm_kind, client AS client, episode AS episode, source AS source, line AS line, part AS part
FROM looped
GROUP BY client, episode, source, line, part;
