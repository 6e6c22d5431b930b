-- The same refusal once in each session, session after session: no storm, and yet never learnt.
-- Grain: one row per session of such a (client, operation).
-- Reads refused_operations, watched_requests, watched_sessions; settings recurring_refusal_min_sessions.
WITH
refused_often AS (
  SELECT o.client AS client, o.operation AS operation
  FROM refused_operations o
  CROSS JOIN settings s
  WHERE o.n_refused >= s.recurring_refusal_min_sessions
),
refused_sessions AS (
  SELECT
    w.client AS client, w.operation AS operation, s.session_token AS session_token,
    CASE WHEN s.session_token = 0 THEN w.episode ELSE CAST(0 AS BIGINT) END AS episode,
    MIN(w.seq) AS first_seq,
    SUM(CASE WHEN w.is_good THEN 1 ELSE 0 END) AS n_good,
    SUM(CASE WHEN w.family IN (1, 2) THEN 1 ELSE 0 END) AS n_refused
  FROM watched_requests w
  JOIN refused_often o ON o.client = w.client AND o.operation = w.operation
  JOIN watched_sessions s ON s.client = w.client AND s.seq = w.seq
  WHERE w.is_judged
  GROUP BY w.client, w.operation, s.session_token, CASE WHEN s.session_token = 0 THEN w.episode ELSE CAST(0 AS BIGINT) END
),
counted AS (
  SELECT
    client AS client, first_seq AS first_seq,
    SUM(n_good) OVER (PARTITION BY client, operation) AS n_answered,
    MAX(n_refused) OVER (PARTITION BY client, operation) AS n_most,
    MIN(n_refused) OVER (PARTITION BY client, operation) AS n_least,
    COUNT(*) OVER (PARTITION BY client, operation) AS n_sessions
  FROM refused_sessions
)
SELECT
  'recurring_refusal' AS rule, w.target AS subject, w.target AS target, c.client AS client, CAST(1 AS BIGINT) AS n_requests,
  CAST(1 AS BIGINT) AS n_measure, w.ts AS ts, w.source AS source, w.line AS line
FROM counted c
CROSS JOIN settings s
JOIN watched_requests w ON w.client = c.client AND w.seq = c.first_seq
WHERE c.n_answered = 0 AND c.n_most = 1 AND c.n_least = 1 AND c.n_sessions >= s.recurring_refusal_min_sessions;
