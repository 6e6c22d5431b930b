-- Polite backoff on an answer that never changes: the waits grow as they should, and each answer is the same refusal.
-- Grain: one row per request of such a (client, operation, session); `n_measure` is how long it had waited, in milliseconds.
-- Reads refused_operations, watched_requests, watched_sessions, monitors; settings slow_loop_min_requests, slow_loop_min_wait_s, slow_loop_min_growth.
WITH
patient AS (
  SELECT o.client AS client, o.operation AS operation
  FROM refused_operations o
  CROSS JOIN settings s
  LEFT JOIN monitors m ON m.client = o.client
  WHERE o.n_refused >= s.slow_loop_min_requests AND COALESCE(m.is_monitor, FALSE) = FALSE
),
asked AS (
  SELECT
    w.client AS client, w.operation AS operation, v.session_token AS session_token,
    CASE WHEN v.session_token = 0 THEN w.episode ELSE CAST(0 AS BIGINT) END AS episode,
    w.seq AS seq, w.target AS target, w.kind AS kind, w.memory AS memory, w.ts AS ts, w.at_us AS at_us, w.ended_us AS ended_us,
    w.source AS source, w.line AS line
  FROM watched_requests w
  JOIN patient p ON p.client = w.client AND p.operation = w.operation
  JOIN watched_sessions v ON v.client = w.client AND v.seq = w.seq
),
waited AS (
  SELECT
    client AS client, operation AS operation, session_token AS session_token, episode AS episode, target AS target, kind AS kind,
    memory AS memory, ts AS ts, source AS source, line AS line,
    at_us - LAG(ended_us, 1, at_us) OVER (PARTITION BY client, operation, session_token, episode ORDER BY seq NULLS LAST) AS wait_us,
    ROW_NUMBER() OVER (PARTITION BY client, operation, session_token, episode ORDER BY seq NULLS LAST) AS ask_no,
    COUNT(ts) OVER (PARTITION BY client, operation, session_token, episode) AS n_requests
  FROM asked
),
begun AS (
  SELECT
    client AS client, operation AS operation, session_token AS session_token, episode AS episode, target AS target, kind AS kind,
    memory AS memory, ts AS ts, source AS source, line AS line, wait_us AS wait_us, n_requests AS n_requests,
    ask_no > 1 AND ask_no * 2 > n_requests + 1 AS is_late,
    SUM(CASE WHEN ask_no IN (2, 3) THEN wait_us ELSE 0 END) OVER (PARTITION BY client, operation, session_token, episode) AS first_waits_us
  FROM waited
),
judged AS (
  SELECT
    b.client AS client, b.operation AS operation, b.session_token AS session_token, b.episode AS episode, b.target AS target,
    b.kind AS kind, b.memory AS memory, b.ts AS ts, b.source AS source, b.line AS line, b.wait_us AS wait_us, b.n_requests AS n_requests,
    CASE WHEN b.is_late THEN 1 ELSE 0 END AS n_late,
    CASE
      WHEN b.is_late AND b.wait_us >= s.slow_loop_min_wait_s * 1000000 AND b.wait_us * 2 >= b.first_waits_us * s.slow_loop_min_growth
        THEN 1
      ELSE 0
    END AS n_long
  FROM begun b
  CROSS JOIN settings s
),
counted AS (
  SELECT
    client AS client, target AS target, ts AS ts, source AS source, line AS line, wait_us AS wait_us, n_requests AS n_requests,
    MIN(memory) OVER own AS least_memory,
    MIN(kind) OVER own AS least_kind,
    MAX(kind) OVER own AS greatest_kind,
    SUM(n_late) OVER own AS n_late,
    SUM(n_long) OVER own AS n_long
  FROM judged
  WINDOW own AS (PARTITION BY client, operation, session_token, episode)
)
SELECT
  'slow_loop' AS rule, c.target AS subject, c.target AS target, c.client AS client, CAST(1 AS BIGINT) AS n_requests,
  CAST((c.wait_us - MOD(c.wait_us, 1000)) / 1000 AS BIGINT) AS n_measure, c.ts AS ts, c.source AS source, c.line AS line
FROM counted c
CROSS JOIN settings s
WHERE c.n_requests >= s.slow_loop_min_requests AND c.least_memory > 0 AND c.least_kind = c.greatest_kind
  AND c.n_long * 4 >= c.n_late * 3;
