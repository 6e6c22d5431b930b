-- Requests of an operation whose previous request, in the same episode, was throttled or failed for the moment, and had ended by then.
-- Grain: one row per retry of an operation that fails often enough to matter; `retry_no` counts since its last good answer in the episode.
-- Reads failing_requests, episodes, gate_replay; settings retry_budget, retry_after_slack_ms.
WITH
same_episode AS (
  SELECT
    f.client AS client, f.operation AS operation, e.episode AS episode, f.source AS source, f.line AS line, f.part AS part,
    f.ts AS ts, f.place AS place, f.stretch_no AS stretch_no, f.is_good AS is_good, f.is_after_throttled AS is_after_throttled,
    f.wait_us AS wait_us, f.asked_wait_ms AS asked_wait_ms
  FROM failing_requests f
  JOIN episodes e ON e.client = f.client AND e.bucket = f.bucket
  JOIN episodes b ON b.client = f.client AND b.bucket = f.bucket_before
  WHERE f.is_retry AND b.episode = e.episode
),
numbered AS (
  SELECT
    client AS client, operation AS operation, episode AS episode, source AS source, line AS line, part AS part, ts AS ts,
    stretch_no AS stretch_no, is_good AS is_good, is_after_throttled AS is_after_throttled, wait_us AS wait_us,
    asked_wait_ms AS asked_wait_ms,
    ROW_NUMBER() OVER (PARTITION BY client, operation, episode, stretch_no ORDER BY place NULLS LAST) AS retry_no,
    LAG(wait_us, 1, CAST(-1 AS BIGINT))
      OVER (PARTITION BY client, operation, episode, stretch_no, is_after_throttled ORDER BY place NULLS LAST) AS wait_before_us
  FROM same_episode
)
SELECT
  n.client AS client,
  n.operation AS operation,
  n.episode AS episode,
  n.source AS source,
  n.line AS line,
  n.part AS part,
  n.stretch_no AS stretch_no,
  CAST(n.retry_no AS BIGINT) AS retry_no,
  n.is_after_throttled AS is_after_throttled,
  n.wait_us AS wait_us,
  n.asked_wait_ms AS asked_wait_ms,
  n.ts IS NOT NULL AND n.is_after_throttled AND n.asked_wait_ms >= 0
    AND n.wait_us < (n.asked_wait_ms - s.retry_after_slack_ms) * 1000 AS is_early,
  n.ts IS NOT NULL AND n.is_after_throttled AND n.asked_wait_ms < 0 AND n.wait_us <= n.wait_before_us AS is_flat,
  n.retry_no > s.retry_budget AND NOT n.is_good AND COALESCE(g.outcome, '') <> 'avoidable' AS is_overrun
FROM numbered n
CROSS JOIN settings s
LEFT JOIN gate_replay g ON g.source = n.source AND g.line = n.line AND g.part = n.part;
