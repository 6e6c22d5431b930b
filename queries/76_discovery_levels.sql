-- What a client had been seen to know of an authority when it asked: R1 it answers, R2 its capabilities, R3 its names. Kept as a view.
-- Grain: one row per watched request of a refused operation; level 1 needs a good answer at an earlier instant, and level 0 means that no read was observed, not that there was none.
-- Reads watched_requests, refused_operations, known_requests, answers, known_targets, source_ranks.
WITH
refused_clients AS (
  SELECT client AS client
  FROM refused_operations
  WHERE n_refused > 0
  GROUP BY client
),
first_answers AS (
  SELECT r.client AS client, t.authority_id AS authority_id, MIN(r.at_us) AS at_us
  FROM known_requests r
  JOIN refused_clients c ON c.client = r.client
  JOIN answers a ON a.target = r.target AND a.signal = r.signal
  JOIN known_targets t ON t.target = r.target
  WHERE a.is_good
  GROUP BY r.client, t.authority_id
),
events AS (
  SELECT
    client AS client, authority_id AS authority_id, at_us AS at_us, CAST(9000000000000000 AS BIGINT) AS source_rank,
    CAST(0 AS BIGINT) AS line, CAST(0 AS BIGINT) AS part, 1 AS level, CAST(0 AS BIGINT) AS seq, CAST(1 AS BIGINT) AS is_read
  FROM first_answers
  UNION ALL
  SELECT
    r.client AS client, t.authority_id AS authority_id, r.at_us AS at_us, k.source_rank AS source_rank, r.line AS line, r.part AS part,
    CASE
      WHEN t.rpc_method = 'tools/list' OR (t.probe_role = 'card' AND t.probe_step >= 2)
        OR (t.probe_role = 'openapi' AND t.probe_step IN (0, 1, 4, 5, 6, 7)) THEN 3
      ELSE 2
    END AS level,
    CAST(0 AS BIGINT) AS seq, CAST(1 AS BIGINT) AS is_read
  FROM known_requests r
  JOIN answers a ON a.target = r.target AND a.signal = r.signal
  JOIN known_targets t ON t.target = r.target
  JOIN source_ranks k ON k.source = r.source
  WHERE a.gives IN (1, 2, 4)
  UNION ALL
  SELECT
    w.client AS client, w.authority_id AS authority_id, w.at_us AS at_us, k.source_rank AS source_rank, w.line AS line, w.part AS part,
    0 AS level, w.seq AS seq, CAST(0 AS BIGINT) AS is_read
  FROM watched_requests w
  JOIN source_ranks k ON k.source = w.source
  WHERE w.is_judged
),
compared AS (
  SELECT
    client AS client, authority_id AS authority_id, seq AS seq, is_read AS is_read,
    MAX(level) OVER (
      PARTITION BY client, authority_id
      ORDER BY at_us NULLS LAST, source_rank NULLS LAST, line NULLS LAST, part NULLS LAST, is_read NULLS LAST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS own_level,
    MAX(CASE WHEN authority_id = 0 THEN level ELSE 0 END) OVER (
      PARTITION BY client
      ORDER BY at_us NULLS LAST, source_rank NULLS LAST, line NULLS LAST, part NULLS LAST, is_read NULLS LAST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS unnamed_level,
    MAX(level) OVER (
      PARTITION BY client
      ORDER BY at_us NULLS LAST, source_rank NULLS LAST, line NULLS LAST, part NULLS LAST, is_read NULLS LAST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS any_level
  FROM events
)
SELECT
  client AS client,
  seq AS seq,
  CAST(
    CASE WHEN authority_id = 0 THEN any_level WHEN own_level >= unnamed_level THEN own_level ELSE unnamed_level END AS BIGINT
  ) AS discovery_level
FROM compared
WHERE is_read = 0;
