-- Things outside the contract that several clients ask for; probes that protocols provide for and scans aside.
-- Grain: one row per (target, client, source), cited by the first line.
-- Reads watched_requests, known_targets; settings unmet_demand_min_clients.
WITH
refused AS (
  SELECT
    w.target AS target, w.client AS client, w.source AS source, COUNT(*) AS n_requests, MIN(w.ts) AS ts, MIN(w.line) AS line
  FROM watched_requests w
  JOIN known_targets t ON t.target = w.target
  WHERE w.kind = 'interface_not_declared' AND w.memory > 0 AND t.probe_role = 'none' AND NOT t.is_scanner
  GROUP BY w.target, w.client, w.source
),
numbered AS (
  SELECT
    target AS target, client AS client, source AS source, n_requests AS n_requests, ts AS ts, line AS line,
    ROW_NUMBER() OVER (PARTITION BY target, client ORDER BY source NULLS LAST) AS source_no
  FROM refused
),
counted AS (
  SELECT
    target AS target, client AS client, source AS source, n_requests AS n_requests, ts AS ts, line AS line,
    SUM(CASE WHEN source_no = 1 THEN 1 ELSE 0 END) OVER (PARTITION BY target) AS n_clients
  FROM numbered
)
SELECT
  'unmet_demand' AS rule, c.target AS subject, c.target AS target, c.client AS client, CAST(c.n_requests AS BIGINT) AS n_requests,
  CAST(0 AS BIGINT) AS n_measure, c.ts AS ts, c.source AS source, c.line AS line
FROM counted c
CROSS JOIN settings s
WHERE c.n_clients >= s.unmet_demand_min_clients;
