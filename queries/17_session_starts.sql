-- When each logged session id was first seen in an episode.
-- Grain: one row per (client, episode, session id); `start_no` counts them within the episode.
-- Reads known_requests, episodes.
WITH
token_buckets AS (
  SELECT client AS client, bucket AS bucket, session_token AS session_token, MIN(at_us) AS first_us, MAX(at_us) AS last_us
  FROM known_requests
  WHERE session_token IS NOT NULL
  GROUP BY client, bucket, session_token
),
starts AS (
  SELECT
    t.client AS client, e.episode AS episode, t.session_token AS session_token,
    MIN(t.first_us) AS first_us, MAX(t.last_us) AS last_us
  FROM token_buckets t
  JOIN episodes e ON e.client = t.client AND e.bucket = t.bucket
  GROUP BY t.client, e.episode, t.session_token
)
SELECT
  client AS client,
  episode AS episode,
  session_token AS session_token,
  first_us AS first_us,
  last_us AS last_us,
  CAST(ROW_NUMBER() OVER (PARTITION BY client, episode ORDER BY first_us NULLS LAST, session_token NULLS LAST) AS BIGINT) AS start_no
FROM starts;
