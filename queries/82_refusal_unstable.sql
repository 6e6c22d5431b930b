-- Operations refused and answered in turn: the refusal does not hold, and a gate that trusts it loses answers.
-- Grain: one row per (client, operation); `n_measure` good answers would be lost.
-- Reads watched_requests, gate_replay; settings refusal_unstable_min_changes.
WITH
told AS (
  SELECT client AS client, operation AS operation, target AS target, seq AS seq, CASE WHEN is_good THEN 1 ELSE 0 END AS n_good
  FROM watched_requests
  WHERE is_judged AND (is_good OR family IN (1, 2))
),
compared AS (
  SELECT
    client AS client, operation AS operation, target AS target, seq AS seq, n_good AS n_good,
    LAG(n_good, 1, n_good) OVER (PARTITION BY client, operation ORDER BY seq NULLS LAST) AS n_good_before
  FROM told
),
counted AS (
  SELECT
    client AS client, operation AS operation, MIN(target) AS target, MIN(seq) AS first_seq, COUNT(*) AS n_requests,
    SUM(CASE WHEN n_good <> n_good_before THEN 1 ELSE 0 END) AS n_changes
  FROM compared
  GROUP BY client, operation
),
harmed AS (
  SELECT client AS client, operation AS operation, COUNT(*) AS n_harm
  FROM gate_replay
  WHERE outcome = 'harm'
  GROUP BY client, operation
)
SELECT
  c.target AS subject, c.target AS target, c.client AS client, CAST(c.n_requests AS BIGINT) AS n_requests,
  CAST(COALESCE(h.n_harm, 0) AS BIGINT) AS n_measure, w.source AS source, w.line AS line
FROM counted c
CROSS JOIN settings s
JOIN watched_requests w ON w.client = c.client AND w.seq = c.first_seq
LEFT JOIN harmed h ON h.client = c.client AND h.operation = c.operation
WHERE c.n_changes >= s.refusal_unstable_min_changes;
