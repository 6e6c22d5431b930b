-- Operations refused and answered in turn: the refusal does not hold, and a gate that trusts it loses answers.
-- Grain: one row per change between refused and answered, the first also for all requests of its (client, operation); `n_measure` good answers would be lost.
-- Reads watched_requests, gate_replay; settings refusal_unstable_min_changes, evidence_lines.
WITH
mended AS (
  SELECT client AS client, operation AS operation
  FROM watched_requests
  WHERE is_judged
  GROUP BY client, operation
  HAVING MAX(is_good) AND MAX(family IN (1, 2))
),
told AS (
  SELECT
    w.client AS client, w.operation AS operation, w.seq AS seq, CASE WHEN w.is_good THEN 1 ELSE 0 END AS n_good
  FROM watched_requests w
  JOIN mended m ON m.client = w.client AND m.operation = w.operation
  WHERE w.is_judged AND (w.is_good OR w.family IN (1, 2))
),
compared AS (
  SELECT
    client AS client, operation AS operation, seq AS seq, n_good AS n_good,
    LAG(n_good, 1, -1) OVER (PARTITION BY client, operation ORDER BY seq NULLS LAST) AS n_good_before,
    COUNT(*) OVER (PARTITION BY client, operation) AS n_requests
  FROM told
),
placed AS (
  SELECT
    client AS client, operation AS operation, seq AS seq, n_requests AS n_requests,
    ROW_NUMBER() OVER (PARTITION BY client, operation ORDER BY seq NULLS LAST) AS change_no,
    COUNT(*) OVER (PARTITION BY client, operation) - 1 AS n_changes
  FROM compared
  WHERE n_good <> n_good_before
),
harmed AS (
  SELECT client AS client, operation AS operation, COUNT(*) AS n_harm
  FROM gate_replay
  WHERE outcome = 'harm'
  GROUP BY client, operation
)
SELECT
  'refusal_unstable' AS rule, w.target AS subject, w.target AS target, p.client AS client,
  CAST(CASE WHEN p.change_no = 1 THEN p.n_requests ELSE 0 END AS BIGINT) AS n_requests,
  CAST(CASE WHEN p.change_no = 1 THEN COALESCE(h.n_harm, 0) ELSE 0 END AS BIGINT) AS n_measure,
  w.ts AS ts, w.source AS source, w.line AS line
FROM placed p
CROSS JOIN settings s
JOIN watched_requests w ON w.client = p.client AND w.seq = p.seq
LEFT JOIN harmed h ON h.client = p.client AND h.operation = p.operation
WHERE p.n_changes >= s.refusal_unstable_min_changes AND p.change_no <= s.evidence_lines;
