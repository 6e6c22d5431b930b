-- Storms of throttle_hammering: retries before Retry-After had passed or, with none logged, waits that do not grow.
-- Grain: one row per request claimed by this or an earlier kind: such retries, and the throttled answers of the same operations in the episode.
-- Reads retries, failing_requests, episodes, auth_loop_claims; settings throttle_hammering_min_retries.
WITH
hasty AS (
  SELECT
    r.client AS client, r.episode AS episode, r.operation AS operation, r.stretch_no AS stretch_no, r.is_early AS is_early,
    r.is_flat AS is_flat
  FROM retries r
  LEFT JOIN auth_loop_claims c ON c.source = r.source AND c.line = r.line AND c.part = r.part
  WHERE (r.is_early OR r.is_flat) AND c.storm_kind IS NULL
),
counted AS (
  SELECT
    client AS client, episode AS episode, operation AS operation, is_early AS is_early,
    SUM(CASE WHEN is_early THEN 1 ELSE 0 END) OVER (PARTITION BY client, episode) AS n_early,
    SUM(CASE WHEN is_flat THEN 1 ELSE 0 END) OVER (PARTITION BY client, episode, operation, stretch_no) AS n_flat
  FROM hasty
),
storms AS (
  SELECT
    k.client AS client, k.episode AS episode, k.operation AS operation,
    MAX(k.is_early AND k.n_early >= x.throttle_hammering_min_retries) AS has_early,
    MAX(k.n_flat >= x.throttle_hammering_min_retries) AS has_flat
  FROM counted k
  CROSS JOIN settings x
  WHERE (k.is_early AND k.n_early >= x.throttle_hammering_min_retries) OR k.n_flat >= x.throttle_hammering_min_retries
  GROUP BY k.client, k.episode, k.operation
)
SELECT
  storm_kind AS storm_kind, client AS client, episode AS episode, source AS source, line AS line, part AS part
FROM auth_loop_claims
UNION ALL
SELECT
  'throttle_hammering' AS storm_kind,
  w.client AS client, e.episode AS episode, w.source AS source, w.line AS line, w.part AS part
FROM failing_requests w
JOIN episodes e ON e.client = w.client AND e.bucket = w.bucket
JOIN storms s ON s.client = w.client AND s.episode = e.episode AND s.operation = w.operation
LEFT JOIN retries r ON r.source = w.source AND r.line = w.line AND r.part = w.part
LEFT JOIN auth_loop_claims c ON c.source = w.source AND c.line = w.line AND c.part = w.part
WHERE c.storm_kind IS NULL AND (w.is_throttled OR (s.has_early AND COALESCE(r.is_early, FALSE)) OR (s.has_flat AND COALESCE(r.is_flat, FALSE)));
