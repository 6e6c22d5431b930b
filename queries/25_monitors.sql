-- Steady clients that ask for nothing but health paths: a refusal tells them what they came to know, so the gate leaves them alone.
-- Grain: one row per such client that is ever refused.
-- Reads refused_operations, known_requests, known_targets; settings monitor_min_requests, monitor_max_variation_percent.
WITH
refused_clients AS (
  SELECT o.client AS client
  FROM refused_operations o
  JOIN known_targets t ON t.target = o.target
  GROUP BY o.client
  HAVING MIN(t.is_health)
),
health_clients AS (
  SELECT r.client AS client
  FROM known_requests r
  JOIN refused_clients c ON c.client = r.client
  JOIN known_targets t ON t.target = r.target
  GROUP BY r.client
  HAVING MIN(t.is_health) AND COUNT(r.ts) = COUNT(*)
),
gaps AS (
  SELECT
    r.client AS client,
    r.operation AS operation,
    CAST(r.ts - LAG(r.ts, 1, r.ts) OVER (PARTITION BY r.client, r.operation ORDER BY r.ts NULLS LAST) AS DOUBLE) AS gap_us
  FROM known_requests r
  JOIN health_clients c ON c.client = r.client
),
gap_sums AS (
  SELECT client AS client, operation AS operation, COUNT(*) AS n_requests, SUM(gap_us) AS total_us, SUM(gap_us * gap_us) AS total_squares
  FROM gaps
  GROUP BY client, operation
),
steady AS (
  SELECT
    g.client AS client,
    g.n_requests AS n_requests,
    g.n_requests >= s.monitor_min_requests
      AND g.total_us > 0
      AND (g.total_squares * (g.n_requests - 1) - g.total_us * g.total_us) * 10000
        < g.total_us * g.total_us * s.monitor_max_variation_percent * s.monitor_max_variation_percent AS is_steady
  FROM gap_sums g
  CROSS JOIN settings s
)
SELECT
  client AS client,
  CAST(SUM(n_requests) AS BIGINT) AS n_requests,
  TRUE AS is_monitor
FROM steady
GROUP BY client
HAVING MIN(is_steady);
