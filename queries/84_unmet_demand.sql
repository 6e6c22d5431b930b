-- Things outside the contract that several clients ask for; probes that protocols provide for and scans aside.
-- Grain: one row per request of such a target.
-- Reads watched_requests, known_targets; settings unmet_demand_min_clients.
WITH
refused AS (
  SELECT w.target AS target, w.client AS client
  FROM watched_requests w
  JOIN known_targets t ON t.target = w.target
  WHERE w.kind = 'interface_not_declared' AND w.memory > 0 AND t.probe_role = 'none' AND NOT t.is_scanner
  GROUP BY w.target, w.client
),
counted AS (
  SELECT target AS target, COUNT(*) AS n_clients
  FROM refused
  GROUP BY target
)
SELECT
  'unmet_demand' AS rule, c.target AS subject, c.target AS target, w.client AS client, CAST(1 AS BIGINT) AS n_requests,
  CAST(0 AS BIGINT) AS n_measure, w.ts AS ts, w.source AS source, w.line AS line
FROM counted c
CROSS JOIN settings s
JOIN watched_requests w ON w.target = c.target
WHERE c.n_clients >= s.unmet_demand_min_clients AND w.kind = 'interface_not_declared' AND w.memory > 0;
