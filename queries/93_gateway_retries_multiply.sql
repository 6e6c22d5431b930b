-- Retries of retries: the gateway tried a request several times, and the client sends it again, so that both numbers multiply.
-- Grain: one row per failed request that the gateway had tried several times; `n_measure` is the number of those tries.
-- Reads known_requests, answers, signals, episodes, source_ranks; settings gateway_retries_multiply_min_tries.
WITH
tried AS (
  SELECT r.client AS client, r.operation AS operation, COUNT(*) AS n_requests
  FROM known_requests r
  JOIN answers a ON a.target = r.target AND a.signal = r.signal
  WHERE r.attempts > 1 AND (a.is_throttled OR a.is_transient)
  GROUP BY r.client, r.operation
),
asked AS (
  SELECT
    r.client AS client, r.operation AS operation, e.episode AS episode, r.target AS target, r.ts AS ts, r.source AS source, r.line AS line,
    COALESCE(r.attempts, 1) AS n_tries, a.is_throttled OR a.is_transient AS is_failed,
    SUM(CASE WHEN a.is_good THEN 1 ELSE 0 END) OVER (
      PARTITION BY r.client, r.operation
      ORDER BY r.at_us NULLS LAST, k.source_rank NULLS LAST, r.line NULLS LAST, r.part NULLS LAST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS stretch_no
  FROM known_requests r
  JOIN tried t ON t.client = r.client AND t.operation = r.operation
  JOIN answers a ON a.target = r.target AND a.signal = r.signal
  JOIN episodes e ON e.client = r.client AND e.bucket = r.bucket
  JOIN source_ranks k ON k.source = r.source
  WHERE t.n_requests > 1 AND NOT a.is_noise
),
counted AS (
  SELECT
    client AS client, target AS target, ts AS ts, source AS source, line AS line, n_tries AS n_tries,
    COUNT(*) OVER own AS n_requests,
    SUM(CASE WHEN n_tries > 1 THEN 1 ELSE 0 END) OVER own AS n_multiplied,
    SUM(n_tries) OVER own AS n_all_tries
  FROM asked
  WHERE is_failed
  WINDOW own AS (PARTITION BY client, operation, episode, stretch_no)
)
SELECT
  'gateway_retries_multiply' AS rule, c.target AS subject, c.target AS target, c.client AS client, CAST(1 AS BIGINT) AS n_requests,
  CAST(c.n_tries AS BIGINT) AS n_measure, c.ts AS ts, c.source AS source, c.line AS line
FROM counted c
CROSS JOIN settings s
WHERE c.n_multiplied > 1 AND c.n_all_tries >= s.gateway_retries_multiply_min_tries;
