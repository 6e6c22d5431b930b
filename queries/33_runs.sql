-- Each request of a refused operation beside each memory of that operation, with the run it stands in.
-- Grain: one row per (watched request, memory); a run lasts from lift to lift, `opened_us` is its first refusal.
-- Reads watched_requests, operation_memories, lift_counts; settings refusal_memory_s, untimed_us.
WITH
judged AS (
  SELECT
    w.client AS client, w.operation AS operation, m.memory AS memory, m.need AS need, m.lifted_by AS lifted_by, w.seq AS seq,
    w.at_us AS at_us, w.ended_us AS ended_us,
    CAST(CASE WHEN w.memory = m.memory THEN 1 ELSE 0 END AS BIGINT) AS n_refusals,
    CASE WHEN w.is_good THEN 1 ELSE 0 END AS n_good
  FROM watched_requests w
  JOIN operation_memories m ON m.client = w.client AND m.operation = w.operation
),
numbered AS (
  SELECT
    client AS client, operation AS operation, memory AS memory, need AS need, lifted_by AS lifted_by, seq AS seq, at_us AS at_us,
    ended_us AS ended_us, n_refusals AS n_refusals,
    SUM(n_good) OVER (
      PARTITION BY client, operation, memory
      ORDER BY seq NULLS LAST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - n_good AS n_good_before
  FROM judged
),
lifted AS (
  SELECT
    n.client AS client, n.operation AS operation, n.memory AS memory, n.need AS need, n.seq AS seq, n.at_us AS at_us,
    n.ended_us AS ended_us, n.n_refusals AS n_refusals,
    n.n_good_before + COALESCE(c.n_lifts, 0) AS run_no
  FROM numbered n
  LEFT JOIN lift_counts c ON c.client = n.client AND c.seq = n.seq AND c.lifted_by = n.lifted_by
),
opened AS (
  SELECT
    l.client AS client, l.operation AS operation, l.memory AS memory, l.need AS need, l.seq AS seq, l.at_us AS at_us,
    l.ended_us AS ended_us, l.n_refusals AS n_refusals, l.run_no AS run_no,
    MIN(CASE WHEN l.n_refusals = 1 THEN l.at_us ELSE CAST(9100000000000000 AS BIGINT) END)
      OVER (PARTITION BY l.client, l.operation, l.memory, l.run_no) AS opened_us
  FROM lifted l
)
SELECT
  o.client AS client, o.operation AS operation, o.memory AS memory, o.need AS need, o.seq AS seq, o.at_us AS at_us,
  o.ended_us AS ended_us, o.n_refusals AS n_refusals, CAST(o.run_no AS BIGINT) AS run_no,
  (o.at_us - o.opened_us) - MOD(o.at_us - o.opened_us, s.refusal_memory_s * 1000000) AS period_us
FROM opened o
CROSS JOIN settings s
WHERE o.at_us >= o.opened_us;
