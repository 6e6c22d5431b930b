-- Storms of redirect_loop: one redirect taken again and again although what it leads to never answers well; over several paths too.
-- Grain: one row per request claimed by this or an earlier kind: such redirects, and the requests that took them.
-- Reads known_requests, signals, answers, episodes, source_ranks, transient_hammering_claims; settings redirect_loop_min_requests.
WITH
redirected AS (
  SELECT r.client AS client, r.operation AS operation, COUNT(*) AS n_redirects
  FROM known_requests r
  JOIN signals g ON g.id = r.signal
  WHERE g.status BETWEEN 300 AND 399 AND g.status <> 304
  GROUP BY r.client, r.operation
),
followers AS (
  SELECT d.client AS client
  FROM redirected d
  CROSS JOIN settings s
  WHERE d.n_redirects >= s.redirect_loop_min_requests
  GROUP BY d.client
),
asked AS (
  SELECT
    r.client AS client, e.episode AS episode, r.operation AS operation, r.source AS source, r.line AS line, r.part AS part,
    k.source_rank AS source_rank, r.at_us AS at_us,
    CASE WHEN g.status BETWEEN 300 AND 399 AND g.status <> 304 THEN 1 ELSE 0 END AS n_redirects,
    CASE WHEN c.storm_kind IS NULL THEN 0 ELSE 1 END AS n_claimed,
    MAX(CASE WHEN a.is_good THEN 1 ELSE 0 END) OVER (PARTITION BY r.client, e.episode, r.operation) AS n_answered
  FROM known_requests r
  JOIN followers f ON f.client = r.client
  JOIN signals g ON g.id = r.signal
  JOIN answers a ON a.target = r.target AND a.signal = r.signal
  JOIN episodes e ON e.client = r.client AND e.bucket = r.bucket
  JOIN source_ranks k ON k.source = r.source
  LEFT JOIN transient_hammering_claims c ON c.source = r.source AND c.line = r.line AND c.part = r.part
  WHERE NOT a.is_noise
),
followed AS (
  SELECT
    client AS client, episode AS episode, operation AS operation, source AS source, line AS line, part AS part,
    source_rank AS source_rank, at_us AS at_us, n_redirects AS n_redirects, n_claimed AS n_claimed,
    LEAD(operation, 1, CAST(0 AS BIGINT)) OVER own AS next_operation,
    LEAD(n_answered, 1, 1) OVER own + LEAD(n_claimed, 1, 0) OVER own AS n_against
  FROM asked
  WINDOW own AS (
    PARTITION BY client, episode ORDER BY at_us NULLS LAST, source_rank NULLS LAST, line NULLS LAST, part NULLS LAST
  )
),
counted AS (
  SELECT
    client AS client, episode AS episode, source AS source, line AS line, part AS part, source_rank AS source_rank, at_us AS at_us,
    n_claimed AS n_claimed,
    CASE WHEN n_redirects = 1 AND n_claimed + n_against = 0 THEN 1 ELSE 0 END AS n_taken,
    SUM(CASE WHEN n_redirects = 1 AND n_claimed + n_against = 0 THEN 1 ELSE 0 END)
      OVER (PARTITION BY client, episode, operation, next_operation) AS n_times
  FROM followed
),
looped AS (
  SELECT
    t.client AS client, t.episode AS episode, t.source AS source, t.line AS line, t.part AS part, t.source_rank AS source_rank,
    t.at_us AS at_us,
    CASE WHEN t.n_taken = 1 AND t.n_times >= s.redirect_loop_min_requests THEN 1 ELSE 0 END AS n_looped
  FROM counted t
  CROSS JOIN settings s
),
ended AS (
  SELECT
    client AS client, episode AS episode, source AS source, line AS line, part AS part, n_looped AS n_looped,
    LAG(n_looped, 1, 0) OVER (
      PARTITION BY client, episode ORDER BY at_us NULLS LAST, source_rank NULLS LAST, line NULLS LAST, part NULLS LAST
    ) AS n_looped_before
  FROM looped
)
SELECT
  storm_kind AS storm_kind, client AS client, episode AS episode, source AS source, line AS line, part AS part
FROM transient_hammering_claims
UNION ALL
SELECT
  'redirect_loop' AS storm_kind, client AS client, episode AS episode, source AS source, line AS line, part AS part
FROM ended
WHERE n_looped + n_looped_before > 0;
