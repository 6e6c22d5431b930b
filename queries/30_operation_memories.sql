-- Which memories of refusals an operation ever fills, where it is asked for again at all; monitors have none.
-- Grain: one row per (client, operation, memory).
-- Reads watched_requests, monitors.
WITH
asked_again AS (
  SELECT client AS client, operation AS operation
  FROM watched_requests
  WHERE is_judged
  GROUP BY client, operation
  HAVING COUNT(*) > 1
),
memories AS (
  SELECT client AS client, operation AS operation, memory AS memory, lifted_by AS lifted_by
  FROM watched_requests
  WHERE memory > 0
  GROUP BY client, operation, memory, lifted_by
)
SELECT m.client AS client, m.operation AS operation, m.memory AS memory, m.lifted_by AS lifted_by, MOD(m.memory, 10) AS need
FROM memories m
JOIN asked_again g ON g.client = m.client AND g.operation = m.operation
LEFT JOIN monitors n ON n.client = m.client
WHERE COALESCE(n.is_monitor, FALSE) = FALSE;
