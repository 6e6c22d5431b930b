-- Storms of auth_loop: avoidable auth repeats, or tokens that are followed by the same refusal again.
-- Grain: one row per request claimed by this or an earlier kind: such requests, and the auth refusals of the same operations in the unit.
-- Reads repeats, watched_requests, lift_counts, reinitialize_loop_claims; settings auth_loop_window_s, auth_loop_min_repeats, auth_loop_min_cycles.
WITH
token_events AS (
  SELECT
    w.client AS client, w.operation AS operation, w.seq AS seq, w.family AS family, c.n_lifts AS n_lifts,
    SUM(CASE WHEN w.is_good THEN 1 ELSE 0 END) OVER (
      PARTITION BY w.client, w.operation
      ORDER BY w.seq NULLS LAST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS stretch_no
  FROM watched_requests w
  JOIN lift_counts c ON c.client = w.client AND c.seq = w.seq
  WHERE c.lifted_by = 3
),
token_refusals AS (
  SELECT
    client AS client, seq AS seq, n_lifts AS n_lifts,
    LAG(n_lifts, 1, n_lifts) OVER (PARTITION BY client, operation, stretch_no ORDER BY seq NULLS LAST) AS n_lifts_before
  FROM token_events
  WHERE family = 4
),
auth_requests AS (
  SELECT
    w.client AS client, w.operation AS operation, w.episode AS episode, w.source AS source, w.line AS line, w.part AS part,
    w.at_us AS at_us,
    MIN(CASE WHEN w.family = 4 THEN w.at_us ELSE CAST(9100000000000000 AS BIGINT) END) OVER (PARTITION BY w.client) AS first_us,
    CASE WHEN COALESCE(r.family, 0) = 4 THEN 1 ELSE 0 END AS n_repeats,
    CASE WHEN COALESCE(t.n_lifts, 0) > COALESCE(t.n_lifts_before, 0) THEN 1 ELSE 0 END AS n_cycles
  FROM watched_requests w
  LEFT JOIN repeats r ON r.client = w.client AND r.seq = w.seq
  LEFT JOIN token_refusals t ON t.client = w.client AND t.seq = w.seq
  WHERE w.family = 4 OR COALESCE(r.family, 0) = 4
),
free_requests AS (
  SELECT
    a.client AS client, a.operation AS operation, a.episode AS episode, a.source AS source, a.line AS line, a.part AS part,
    a.n_repeats AS n_repeats, a.n_cycles AS n_cycles,
    (a.at_us - a.first_us) - MOD(a.at_us - a.first_us, s.auth_loop_window_s * 1000000) AS unit_us,
    s.auth_loop_min_repeats AS min_repeats, s.auth_loop_min_cycles AS min_cycles
  FROM auth_requests a
  CROSS JOIN settings s
  LEFT JOIN reinitialize_loop_claims c ON c.source = a.source AND c.line = a.line AND c.part = a.part
  WHERE c.storm_kind IS NULL
),
counted AS (
  SELECT
    client AS client, episode AS episode, source AS source, line AS line, part AS part, min_repeats AS min_repeats,
    min_cycles AS min_cycles,
    SUM(n_repeats) OVER (PARTITION BY client, unit_us) AS n_repeats,
    SUM(n_cycles) OVER (PARTITION BY client, unit_us) AS n_cycles,
    SUM(n_repeats) OVER (PARTITION BY client, unit_us, operation) AS n_own_repeats,
    SUM(n_cycles) OVER (PARTITION BY client, unit_us, operation) AS n_own_cycles
  FROM free_requests
)
SELECT
  storm_kind AS storm_kind, client AS client, episode AS episode, source AS source, line AS line, part AS part
FROM reinitialize_loop_claims
UNION ALL
SELECT
  'auth_loop' AS storm_kind, client AS client, episode AS episode, source AS source, line AS line, part AS part
FROM counted
WHERE (n_repeats >= min_repeats AND n_own_repeats > 0) OR (n_cycles >= min_cycles AND n_own_cycles > 0);
