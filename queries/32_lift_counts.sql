-- How many lifts of a class came before a request: tokens of the client, all else of its authority or where one side names none.
-- Grain: one row per (watched request, class that one of its operation's memories waits for) where the client has such lifts.
-- Reads watched_requests, operation_memories, lifts.
WITH
lifted_classes AS (
  SELECT client AS client, lifted_by AS lifted_by
  FROM lifts
  GROUP BY client, lifted_by
),
waiting AS (
  SELECT m.client AS client, m.operation AS operation, m.lifted_by AS lifted_by
  FROM operation_memories m
  JOIN lifted_classes c ON c.client = m.client AND c.lifted_by = m.lifted_by
  GROUP BY m.client, m.operation, m.lifted_by
),
events AS (
  SELECT
    r.client AS client, w.lifted_by AS lifted_by, r.authority_id AS authority_id, r.seq AS seq, CAST(0 AS BIGINT) AS is_lift
  FROM watched_requests r
  JOIN waiting w ON w.client = r.client AND w.operation = r.operation
  UNION ALL
  SELECT client AS client, lifted_by AS lifted_by, authority_id AS authority_id, seq AS seq, CAST(1 AS BIGINT) AS is_lift
  FROM lifts
),
counted AS (
  SELECT
    client AS client, lifted_by AS lifted_by, authority_id AS authority_id, seq AS seq, is_lift AS is_lift,
    SUM(is_lift) OVER (
      PARTITION BY client, lifted_by, authority_id
      ORDER BY seq NULLS LAST, is_lift NULLS LAST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS n_same,
    SUM(CASE WHEN authority_id = 0 THEN is_lift ELSE 0 END) OVER (
      PARTITION BY client, lifted_by
      ORDER BY seq NULLS LAST, is_lift NULLS LAST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS n_unnamed,
    SUM(is_lift) OVER (
      PARTITION BY client, lifted_by
      ORDER BY seq NULLS LAST, is_lift NULLS LAST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS n_all
  FROM events
)
SELECT
  client AS client,
  seq AS seq,
  lifted_by AS lifted_by,
  CAST(CASE WHEN lifted_by = 3 OR authority_id = 0 THEN n_all ELSE n_same + n_unnamed END AS BIGINT) AS n_lifts
FROM counted
WHERE is_lift = 0;
