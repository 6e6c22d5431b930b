-- Answers that speak of the moment, and the request that follows each, where an operation has enough of them to matter.
-- Grain: one row per such request; `stretch_no` counts the operation's good answers before it.
-- Reads known_requests, refused_operations, answers, source_ranks; settings retry_budget, throttle_hammering_min_retries.
WITH
failing_operations AS (
  SELECT o.client AS client, o.operation AS operation
  FROM refused_operations o
  CROSS JOIN settings s
  WHERE o.n_failed > s.retry_budget OR o.n_throttled > s.throttle_hammering_min_retries OR o.n_asked > 0
),
operation_requests AS (
  SELECT
    r.client AS client, r.operation AS operation, r.source AS source, r.line AS line, r.part AS part, k.source_rank AS source_rank,
    r.ts AS ts, r.at_us AS at_us, r.bucket AS bucket, r.at_us + COALESCE(r.duration_us, 0) AS ended_us,
    COALESCE(r.retry_after_ms, -1) AS retry_after_ms, r.session_token AS session_token, r.target AS target, r.signal AS signal,
    CASE WHEN a.is_throttled THEN 1 WHEN a.is_transient THEN 2 ELSE 0 END AS failure,
    CASE WHEN a.is_good THEN 1 ELSE 0 END AS n_good
  FROM known_requests r
  JOIN failing_operations o ON o.client = r.client AND o.operation = r.operation
  JOIN answers a ON a.target = r.target AND a.signal = r.signal
  JOIN source_ranks k ON k.source = r.source
  WHERE NOT a.is_noise
),
preceded AS (
  SELECT
    client AS client, operation AS operation, source AS source, line AS line, part AS part, ts AS ts, at_us AS at_us,
    bucket AS bucket, ended_us AS ended_us, session_token AS session_token, target AS target, signal AS signal, failure AS failure, n_good AS n_good,
    LAG(failure, 1, 0) OVER own AS failure_before,
    LAG(bucket, 1, CAST(0 AS BIGINT)) OVER own AS bucket_before,
    LAG(ended_us, 1, CAST(0 AS BIGINT)) OVER own AS ended_before_us,
    LAG(retry_after_ms, 1, CAST(-1 AS BIGINT)) OVER own AS asked_wait_ms,
    SUM(n_good) OVER (
      PARTITION BY client, operation
      ORDER BY at_us NULLS LAST, source_rank NULLS LAST, line NULLS LAST, part NULLS LAST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS n_good_so_far,
    ROW_NUMBER() OVER own AS place
  FROM operation_requests
  WINDOW own AS (
    PARTITION BY client, operation ORDER BY at_us NULLS LAST, source_rank NULLS LAST, line NULLS LAST, part NULLS LAST
  )
)
SELECT
  client AS client, operation AS operation, source AS source, line AS line, part AS part, ts AS ts, at_us AS at_us,
  bucket AS bucket, ended_us AS ended_us, session_token AS session_token, target AS target, signal AS signal,
  CAST(place AS BIGINT) AS place,
  CAST(n_good_so_far - n_good AS BIGINT) AS stretch_no,
  failure = 1 AS is_throttled,
  failure = 2 AS is_transient,
  n_good > 0 AS is_good,
  failure_before > 0 AND ended_before_us <= at_us AS is_retry,
  failure_before = 1 AS is_after_throttled,
  bucket_before AS bucket_before,
  at_us - ended_before_us AS wait_us,
  asked_wait_ms AS asked_wait_ms
FROM preceded
WHERE failure > 0 OR failure_before > 0;
