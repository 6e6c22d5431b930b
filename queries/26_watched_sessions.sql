-- The session of each watched request: its own id, else the next to begin in the episode, else the one begun before, else the episode.
-- Grain: one row per watched request; `session_token` 0 stands for the episode itself.
-- Reads watched_requests, session_starts.
WITH
logged_episodes AS (
  SELECT client AS client, episode AS episode, MAX(start_no) AS n_starts
  FROM session_starts
  GROUP BY client, episode
),
events AS (
  SELECT w.client AS client, w.episode AS episode, w.seq AS seq, w.at_us AS at_us, CAST(0 AS BIGINT) AS is_start, l.n_starts AS n_starts
  FROM watched_requests w
  JOIN logged_episodes l ON l.client = w.client AND l.episode = w.episode
  WHERE w.session_token IS NULL
  UNION ALL
  SELECT client AS client, episode AS episode, CAST(0 AS BIGINT) AS seq, first_us AS at_us, CAST(1 AS BIGINT) AS is_start, CAST(0 AS BIGINT) AS n_starts
  FROM session_starts
),
counted AS (
  SELECT
    client AS client, episode AS episode, seq AS seq, is_start AS is_start, n_starts AS n_starts,
    SUM(is_start) OVER (
      PARTITION BY client, episode
      ORDER BY at_us NULLS LAST, is_start NULLS LAST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS n_started
  FROM events
),
placed AS (
  SELECT
    client AS client, episode AS episode, seq AS seq,
    CASE WHEN n_started < n_starts THEN n_started + 1 ELSE n_starts END AS start_no
  FROM counted
  WHERE is_start = 0
),
joined_sessions AS (
  SELECT p.client AS client, p.seq AS seq, s.session_token AS session_token
  FROM placed p
  JOIN session_starts s ON s.client = p.client AND s.episode = p.episode AND s.start_no = p.start_no
)
SELECT
  w.client AS client,
  w.seq AS seq,
  COALESCE(w.session_token, j.session_token, CAST(0 AS BIGINT)) AS session_token
FROM watched_requests w
LEFT JOIN joined_sessions j ON j.client = w.client AND j.seq = w.seq;
