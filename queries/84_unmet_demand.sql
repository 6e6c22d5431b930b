-- Things outside the contract that several clients ask for; probes that protocols provide for and scans aside.
-- Grain: one row per (target, client); `n_measure` is the number of clients refused it.
-- Reads watched_requests, known_targets; settings unmet_demand_min_clients.
WITH
refused AS (
  SELECT w.target AS target, w.client AS client, COUNT(*) AS n_requests, MIN(w.seq) AS first_seq
  FROM watched_requests w
  JOIN known_targets t ON t.target = w.target
  WHERE w.kind = 'interface_not_declared' AND w.memory > 0 AND t.probe_role = 'none' AND NOT t.is_scanner
  GROUP BY w.target, w.client
),
counted AS (
  SELECT
    target AS target, client AS client, n_requests AS n_requests, first_seq AS first_seq,
    COUNT(*) OVER (PARTITION BY target) AS n_clients
  FROM refused
)
SELECT
  c.target AS subject, c.target AS target, c.client AS client, CAST(c.n_requests AS BIGINT) AS n_requests,
  CAST(c.n_clients AS BIGINT) AS n_measure, w.source AS source, w.line AS line
FROM counted c
CROSS JOIN settings s
JOIN watched_requests w ON w.client = c.client AND w.seq = c.first_seq
WHERE c.n_clients >= s.unmet_demand_min_clients;
