-- The sessions that a page lists, the most refused first, then the longest.
-- Grain: one row per session, at most `page_sessions`; `session_token` is NULL where no session id was logged, times where there is no stamp.
-- Reads sessions, watched_requests, watched_sessions, known_clients, shown_clients; settings page_sessions, untimed_us.
WITH
refused AS (
  SELECT
    w.client AS client, s.session_token AS session_token,
    CASE WHEN s.session_token = 0 THEN w.episode ELSE 0 END AS episode,
    SUM(CASE WHEN w.family BETWEEN 1 AND 4 THEN 1 ELSE 0 END) AS n_refused
  FROM watched_requests w
  JOIN watched_sessions s ON s.client = w.client AND s.seq = w.seq
  GROUP BY w.client, s.session_token, CASE WHEN s.session_token = 0 THEN w.episode ELSE 0 END
),
keyed AS (
  SELECT
    client AS client, session_token AS session_token, start_us AS start_us, end_us AS end_us,
    CASE WHEN session_token = 0 THEN start_us ELSE 0 END AS episode
  FROM sessions
),
ranked AS (
  SELECT
    k.client AS client, k.session_token AS session_token, k.start_us AS start_us, k.end_us AS end_us,
    COALESCE(r.n_refused, 0) AS n_refused,
    ROW_NUMBER() OVER (
      ORDER BY
        COALESCE(r.n_refused, 0) DESC NULLS LAST, k.end_us - k.start_us DESC NULLS LAST, k.start_us NULLS LAST, k.client NULLS LAST,
        k.session_token NULLS LAST
    ) AS session_no
  FROM keyed k
  LEFT JOIN refused r ON r.client = k.client AND r.session_token = k.session_token AND r.episode = k.episode
)
SELECT
  c.key AS client, COALESCE(h.client_no, 0) AS client_no,
  CASE WHEN r.session_token <> 0 THEN r.session_token END AS session_token,
  CASE WHEN r.start_us < s.untimed_us THEN r.start_us END AS start_ts,
  CASE WHEN r.end_us < s.untimed_us THEN r.end_us END AS end_ts,
  CAST(r.n_refused AS BIGINT) AS n_refused
FROM ranked r
CROSS JOIN settings s
JOIN known_clients c ON c.line_client = r.client
LEFT JOIN shown_clients h ON h.client = r.client
WHERE r.session_no <= s.page_sessions
ORDER BY r.session_no NULLS LAST;
