-- Operations refused and answered in turn: the refusal does not hold, and a gate that trusts it loses answers.
-- Grain: one row per request of such a (client, operation); `n_measure` is 1 for a good answer that would be lost.
-- Reads watched_requests, gate_replay; settings refusal_unstable_min_changes.
WITH
mended AS (
  SELECT client AS client, operation AS operation
  FROM watched_requests
  WHERE is_judged AND is_good
  GROUP BY client, operation
),
told AS (
  SELECT
    w.client AS client, w.operation AS operation, w.target AS target, w.seq AS seq, w.ts AS ts, w.source AS source, w.line AS line,
    CASE WHEN w.is_good THEN 1 ELSE 0 END AS n_good
  FROM watched_requests w
  JOIN mended m ON m.client = w.client AND m.operation = w.operation
  WHERE w.is_judged AND (w.is_good OR w.family IN (1, 2))
),
compared AS (
  SELECT
    client AS client, operation AS operation, target AS target, seq AS seq, ts AS ts, source AS source, line AS line, n_good AS n_good,
    LAG(n_good, 1, n_good) OVER (PARTITION BY client, operation ORDER BY seq NULLS LAST) AS n_good_before
  FROM told
),
counted AS (
  SELECT
    client AS client, target AS target, seq AS seq, ts AS ts, source AS source, line AS line,
    SUM(CASE WHEN n_good <> n_good_before THEN 1 ELSE 0 END) OVER (PARTITION BY client, operation) AS n_changes
  FROM compared
)
SELECT
  'refusal_unstable' AS rule, c.target AS subject, c.target AS target, c.client AS client, CAST(1 AS BIGINT) AS n_requests,
  CAST(CASE WHEN COALESCE(g.outcome, '') = 'harm' THEN 1 ELSE 0 END AS BIGINT) AS n_measure, c.ts AS ts, c.source AS source,
  c.line AS line
FROM counted c
CROSS JOIN settings s
LEFT JOIN gate_replay g ON g.client = c.client AND g.seq = c.seq
WHERE c.n_changes >= s.refusal_unstable_min_changes;
