-- How many clients and sessions there were.
-- Grain: one row.
-- Reads episodes, sessions.
WITH
seen_clients AS (
  SELECT client AS client
  FROM episodes
  GROUP BY client
),
client_total AS (
  SELECT COUNT(*) AS n_clients
  FROM seen_clients
),
session_total AS (
  SELECT COUNT(*) AS n_sessions
  FROM sessions
)
SELECT CAST(c.n_clients AS BIGINT) AS n_clients, CAST(s.n_sessions AS BIGINT) AS n_sessions
FROM client_total c
CROSS JOIN session_total s;
