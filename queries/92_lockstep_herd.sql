-- Clients that fail together and come back together: their first retries fall into one moment instead of spreading over the wait.
-- Grain: one row per client of such a herd; `n_measure` is how long it had waited, in milliseconds.
-- Reads known_requests, answers, known_targets; settings lockstep_herd_min_clients, lockstep_herd_bucket_ms, lockstep_herd_window_s, lockstep_herd_min_excess.
WITH
failures AS (
  SELECT
    r.client AS client, r.operation AS operation, r.target AS target, t.route AS route, r.ts AS ts,
    r.ts + COALESCE(r.duration_us, 0) AS ended_us
  FROM known_requests r
  JOIN answers a ON a.target = r.target AND a.signal = r.signal
  JOIN known_targets t ON t.target = r.target
  WHERE (a.is_throttled OR a.is_transient) AND r.ts IS NOT NULL
),
instants AS (
  SELECT
    client AS client, operation AS operation, route AS route, ended_us - MOD(ended_us, 1000000) AS instant,
    MIN(target) AS target, MAX(ts) AS started_us, MAX(ended_us) AS ended_us
  FROM failures
  GROUP BY client, operation, route, ended_us - MOD(ended_us, 1000000)
),
crowds AS (
  SELECT
    client AS client, operation AS operation, route AS route, instant AS instant, target AS target, started_us AS started_us,
    ended_us AS ended_us,
    COUNT(*) OVER (PARTITION BY route, instant) AS n_failed
  FROM instants
),
answered AS (
  SELECT
    c.client AS client, c.route AS route, c.instant AS instant, c.target AS target, c.ended_us AS ended_us, r.ts AS ts,
    r.source AS source, r.line AS line,
    ROW_NUMBER() OVER (
      PARTITION BY c.route, c.instant, c.client
      ORDER BY r.ts NULLS LAST, r.source NULLS LAST, r.line NULLS LAST, r.part NULLS LAST
    ) AS retry_no
  FROM crowds c
  CROSS JOIN settings s
  JOIN known_requests r ON r.client = c.client AND r.operation = c.operation
  WHERE c.n_failed >= s.lockstep_herd_min_clients AND r.ts > c.started_us AND r.ts >= c.ended_us
    AND r.ts - c.ended_us <= s.lockstep_herd_window_s * 1000000
),
retried AS (
  SELECT
    a.client AS client, a.route AS route, a.instant AS instant, a.target AS target, a.ts AS ts, a.source AS source, a.line AS line,
    a.ts - a.ended_us AS wait_us,
    a.ts - MOD(a.ts, s.lockstep_herd_bucket_ms * 1000) AS bucket,
    a.ts - MOD(a.ts + s.lockstep_herd_bucket_ms * 500, s.lockstep_herd_bucket_ms * 1000) AS other_bucket
  FROM answered a
  CROSS JOIN settings s
  WHERE a.retry_no = 1
),
counted AS (
  SELECT
    client AS client, route AS route, instant AS instant, target AS target, ts AS ts, source AS source, line AS line, wait_us AS wait_us,
    COUNT(*) OVER (PARTITION BY route, instant) AS n_clients,
    COUNT(*) OVER (PARTITION BY route, instant, bucket) AS n_together,
    COUNT(*) OVER (PARTITION BY route, instant, other_bucket) AS n_beside,
    MAX(wait_us) OVER (PARTITION BY route, instant) AS longest_us,
    SUM(CASE WHEN MOD(ts, 1000000) <> 0 THEN 1 ELSE 0 END) OVER (PARTITION BY route, instant) AS n_exact
  FROM retried
)
SELECT
  'lockstep_herd' AS rule, c.route AS subject, c.target AS target, c.client AS client, CAST(1 AS BIGINT) AS n_requests,
  CAST((c.wait_us - MOD(c.wait_us, 1000)) / 1000 AS BIGINT) AS n_measure, c.ts AS ts, c.source AS source, c.line AS line
FROM counted c
CROSS JOIN settings s
WHERE c.n_exact > 0
  AND CASE WHEN c.n_together >= c.n_beside THEN c.n_together ELSE c.n_beside END >= s.lockstep_herd_min_clients
  AND CASE WHEN c.n_together >= c.n_beside THEN c.n_together ELSE c.n_beside END * 2 >= c.n_clients
  AND CASE WHEN c.n_together >= c.n_beside THEN c.n_together ELSE c.n_beside END * c.longest_us
    >= c.n_clients * s.lockstep_herd_min_excess * s.lockstep_herd_bucket_ms * 1000;
