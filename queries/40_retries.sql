-- Requests of an operation whose previous request was throttled or failed for the moment, and had ended by then.
-- Grain: one row per retry; `retry_no` counts since the operation's last good answer in the episode (`stretch_no`).
-- Reads watched_requests, gate_replay; settings retry_budget, retry_after_slack_ms.
WITH
preceded AS (
  SELECT
    client AS client, operation AS operation, episode AS episode, seq AS seq, at_us AS at_us, is_good AS is_good,
    ts IS NOT NULL AS is_timed,
    LAG(CASE WHEN is_throttled THEN 1 ELSE 0 END, 1, 0) OVER own AS n_throttled_before,
    LAG(CASE WHEN is_transient THEN 1 ELSE 0 END, 1, 0) OVER own AS n_transient_before,
    LAG(ended_us, 1, CAST(0 AS BIGINT)) OVER own AS previous_ended_us,
    LAG(COALESCE(retry_after_ms, -1), 1, CAST(-1 AS BIGINT)) OVER own AS asked_wait_ms,
    SUM(CASE WHEN is_good THEN 1 ELSE 0 END) OVER (
      PARTITION BY client, operation, episode
      ORDER BY seq NULLS LAST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - CASE WHEN is_good THEN 1 ELSE 0 END AS stretch_no
  FROM watched_requests
  WHERE has_failures
  WINDOW own AS (PARTITION BY client, operation, episode ORDER BY seq NULLS LAST)
),
numbered AS (
  SELECT
    client AS client, operation AS operation, episode AS episode, seq AS seq, is_good AS is_good, is_timed AS is_timed,
    stretch_no AS stretch_no,
    n_throttled_before > 0 AS is_after_throttled,
    at_us - previous_ended_us AS wait_us,
    asked_wait_ms AS asked_wait_ms,
    ROW_NUMBER() OVER (PARTITION BY client, operation, episode, stretch_no ORDER BY seq NULLS LAST) AS retry_no
  FROM preceded
  WHERE n_throttled_before + n_transient_before > 0 AND previous_ended_us <= at_us
),
waited AS (
  SELECT
    client AS client, operation AS operation, episode AS episode, seq AS seq, is_good AS is_good, is_timed AS is_timed,
    stretch_no AS stretch_no, is_after_throttled AS is_after_throttled, wait_us AS wait_us, asked_wait_ms AS asked_wait_ms, retry_no AS retry_no,
    LAG(wait_us, 1, CAST(-1 AS BIGINT))
      OVER (PARTITION BY client, operation, episode, stretch_no, is_after_throttled ORDER BY seq NULLS LAST) AS previous_wait_us
  FROM numbered
)
SELECT
  w.client AS client,
  w.operation AS operation,
  w.episode AS episode,
  w.seq AS seq,
  CAST(w.stretch_no AS BIGINT) AS stretch_no,
  CAST(w.retry_no AS BIGINT) AS retry_no,
  w.is_after_throttled AS is_after_throttled,
  w.wait_us AS wait_us,
  w.asked_wait_ms AS asked_wait_ms,
  w.is_timed AND w.is_after_throttled AND w.asked_wait_ms >= 0
    AND w.wait_us < (w.asked_wait_ms - s.retry_after_slack_ms) * 1000 AS is_early,
  w.is_timed AND w.is_after_throttled AND w.asked_wait_ms < 0 AND w.wait_us <= w.previous_wait_us AS is_flat,
  w.retry_no > s.retry_budget AND NOT w.is_good AND COALESCE(g.outcome, '') <> 'avoidable' AS is_overrun
FROM waited w
CROSS JOIN settings s
LEFT JOIN gate_replay g ON g.client = w.client AND g.seq = w.seq;
