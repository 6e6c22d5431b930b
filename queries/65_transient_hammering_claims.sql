-- Storms of transient_hammering: retries after transient answers beyond the budget.
-- Grain: one row per request claimed by this or an earlier kind: such retries, and the transient answers of the same operations in the episode.
-- Reads retries, failing_requests, episodes, throttle_hammering_claims; settings transient_hammering_min_retries.
WITH
over_budget AS (
  SELECT
    r.client AS client, r.episode AS episode, r.operation AS operation,
    COUNT(*) OVER (PARTITION BY r.client, r.episode) AS n_retries
  FROM retries r
  LEFT JOIN throttle_hammering_claims c ON c.source = r.source AND c.line = r.line AND c.part = r.part
  WHERE r.is_overrun AND NOT r.is_after_throttled AND c.storm_kind IS NULL
),
storms AS (
  SELECT o.client AS client, o.episode AS episode, o.operation AS operation
  FROM over_budget o
  CROSS JOIN settings x
  WHERE o.n_retries >= x.transient_hammering_min_retries
  GROUP BY o.client, o.episode, o.operation
)
SELECT
  storm_kind AS storm_kind, client AS client, episode AS episode, source AS source, line AS line, part AS part
FROM throttle_hammering_claims
UNION ALL
SELECT
  'transient_hammering' AS storm_kind,
  w.client AS client, e.episode AS episode, w.source AS source, w.line AS line, w.part AS part
FROM failing_requests w
JOIN episodes e ON e.client = w.client AND e.bucket = w.bucket
JOIN storms s ON s.client = w.client AND s.episode = e.episode AND s.operation = w.operation
LEFT JOIN retries r ON r.source = w.source AND r.line = w.line AND r.part = w.part
LEFT JOIN throttle_hammering_claims c ON c.source = w.source AND c.line = w.line AND c.part = w.part
WHERE c.storm_kind IS NULL AND (w.is_transient OR (COALESCE(r.is_overrun, FALSE) AND NOT COALESCE(r.is_after_throttled, FALSE)));
