-- Storms of refused_repeat: avoidable repeats of authoritative refusals.
-- Grain: one row per request claimed by this or an earlier kind: such repeats, and the authoritative refusals of the same operations in the episode.
-- Reads repeats, watched_requests, redirect_loop_claims; settings refused_repeat_min_repeats.
WITH
counted AS (
  SELECT
    r.client AS client, r.episode AS episode, r.operation AS operation,
    COUNT(*) OVER (PARTITION BY r.client, r.episode) AS n_repeats
  FROM repeats r
  LEFT JOIN redirect_loop_claims c ON c.source = r.source AND c.line = r.line AND c.part = r.part
  WHERE r.family = 1 AND c.storm_kind IS NULL
),
storms AS (
  SELECT k.client AS client, k.episode AS episode, k.operation AS operation
  FROM counted k
  CROSS JOIN settings x
  WHERE k.n_repeats >= x.refused_repeat_min_repeats
  GROUP BY k.client, k.episode, k.operation
)
SELECT
  storm_kind AS storm_kind, client AS client, episode AS episode, source AS source, line AS line, part AS part
FROM redirect_loop_claims
UNION ALL
SELECT
  'refused_repeat' AS storm_kind,
  w.client AS client, w.episode AS episode, w.source AS source, w.line AS line, w.part AS part
FROM watched_requests w
JOIN storms s ON s.client = w.client AND s.episode = w.episode AND s.operation = w.operation
LEFT JOIN repeats r ON r.client = w.client AND r.seq = w.seq
LEFT JOIN redirect_loop_claims c ON c.source = w.source AND c.line = w.line AND c.part = w.part
WHERE c.storm_kind IS NULL AND (w.family = 1 OR COALESCE(r.family, 0) = 1);
