-- Storms of throttle_hammering: retries before Retry-After had passed or, with none logged, waits that do not grow.
-- Grain: one row per request claimed by this or an earlier kind: such retries, and the throttled answers of the same operations in the episode.
-- Reads retries, watched_requests, path_guessing_claims; settings throttle_hammering_min_retries.
WITH
hasty AS (
  SELECT
    r.client AS client, r.episode AS episode, r.operation AS operation, r.stretch_no AS stretch_no, r.is_early AS is_early,
    r.is_flat AS is_flat
  FROM retries r
  JOIN watched_requests w ON w.client = r.client AND w.seq = r.seq
  LEFT JOIN path_guessing_claims c ON c.source = w.source AND c.line = w.line AND c.part = w.part
  WHERE (r.is_early OR r.is_flat) AND c.storm_kind IS NULL
),
counted AS (
  SELECT
    client AS client, episode AS episode, operation AS operation,
    SUM(CASE WHEN is_early THEN 1 ELSE 0 END) OVER (PARTITION BY client, episode) AS n_early,
    SUM(CASE WHEN is_flat THEN 1 ELSE 0 END) OVER (PARTITION BY client, episode, operation, stretch_no) AS n_flat,
    is_early AS is_early
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
  storm_kind AS storm_kind,
  client AS client, episode AS episode, source AS source, line AS line, part AS part, ts AS ts, at_us AS at_us,
  ended_us AS ended_us, target AS target, operation AS operation, signal AS signal, seq AS seq
FROM path_guessing_claims
UNION ALL
SELECT
  'throttle_hammering' AS storm_kind,
  w.client AS client, w.episode AS episode, w.source AS source, w.line AS line, w.part AS part, w.ts AS ts, w.at_us AS at_us,
  w.ended_us AS ended_us, w.target AS target, w.operation AS operation, w.signal AS signal, w.seq AS seq
FROM watched_requests w
JOIN storms s ON s.client = w.client AND s.episode = w.episode AND s.operation = w.operation
LEFT JOIN retries r ON r.client = w.client AND r.seq = w.seq
LEFT JOIN path_guessing_claims c ON c.source = w.source AND c.line = w.line AND c.part = w.part
WHERE c.storm_kind IS NULL AND (w.is_throttled OR (s.has_early AND COALESCE(r.is_early, FALSE)) OR (s.has_flat AND COALESCE(r.is_flat, FALSE)));
