-- Authoritative refusals of clients that were not seen reading the contract before, where the log shows that others do read it.
-- Grain: one row per such refusal.
-- Reads watched_requests, lifts, sanctioned_requests, known_targets, answer_counts, answers.
WITH
reads_seen AS (
  SELECT COUNT(*) AS n_reads
  FROM answer_counts c
  JOIN answers a ON a.target = c.target AND a.signal = c.signal
  WHERE a.gives IN (1, 2, 4)
),
reads AS (
  SELECT client AS client, authority_id AS authority_id, MIN(seq) AS first_seq
  FROM lifts
  WHERE lifted_by IN (1, 2)
  GROUP BY client, authority_id
),
refused AS (
  SELECT w.client AS client, w.seq AS seq, w.authority_id AS authority_id
  FROM watched_requests w
  JOIN known_targets t ON t.target = w.target
  LEFT JOIN sanctioned_requests p ON p.client = w.client AND p.seq = w.seq
  WHERE w.family = 1 AND NOT t.is_scanner AND COALESCE(p.is_sanctioned, FALSE) = FALSE
),
compared AS (
  SELECT
    f.client AS client, f.seq AS seq,
    MAX(
      CASE
        WHEN COALESCE(r.first_seq, f.seq) >= f.seq THEN 0
        WHEN r.authority_id = f.authority_id OR r.authority_id = 0 OR f.authority_id = 0 THEN 1
        ELSE 0
      END
    ) AS n_read
  FROM refused f
  LEFT JOIN reads r ON r.client = f.client
  GROUP BY f.client, f.seq
)
SELECT
  'refused_before_discovery' AS rule, CAST(0 AS BIGINT) AS subject, CAST(0 AS BIGINT) AS target, u.client AS client,
  CAST(1 AS BIGINT) AS n_requests, CAST(0 AS BIGINT) AS n_measure, w.ts AS ts, w.source AS source, w.line AS line
FROM compared u
CROSS JOIN reads_seen s
JOIN watched_requests w ON w.client = u.client AND w.seq = u.seq
WHERE s.n_reads > 0 AND u.n_read = 0;
