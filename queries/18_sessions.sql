-- Sessions: a client's logged session ids, and its episodes in which none was logged.
-- Grain: one row per (client, session id) or, without one, per (client, episode); `session_token` 0 stands for none logged.
-- Reads episodes, session_starts.
WITH
bounds AS (
  SELECT client AS client, episode AS episode, MAX(last_us) AS last_us
  FROM episodes
  GROUP BY client, episode
),
logged_episodes AS (
  SELECT client AS client, episode AS episode, TRUE AS is_logged
  FROM session_starts
  GROUP BY client, episode
)
SELECT
  client AS client,
  session_token AS session_token,
  MIN(first_us) AS start_us,
  MAX(last_us) AS end_us
FROM session_starts
GROUP BY client, session_token
UNION ALL
SELECT
  b.client AS client,
  CAST(0 AS BIGINT) AS session_token,
  b.episode AS start_us,
  b.last_us AS end_us
FROM bounds b
LEFT JOIN logged_episodes l ON l.client = b.client AND l.episode = b.episode
WHERE COALESCE(l.is_logged, FALSE) = FALSE;
