-- Requests that a memory would have held back: enough refusals of it began before in the same run and period, and one had ended.
-- Grain: one row per (watched request, memory that holds it); `opened_seq` is the first refusal of that run and period.
-- Reads runs.
WITH
remembered AS (
  SELECT
    client AS client, operation AS operation, memory AS memory, need AS need, seq AS seq, at_us AS at_us, run_no AS run_no,
    SUM(n_refusals) OVER earlier - n_refusals AS n_before,
    MIN(CASE WHEN n_refusals = 1 THEN ended_us ELSE CAST(9200000000000000 AS BIGINT) END) OVER (
      PARTITION BY client, operation, memory, run_no, period_us
      ORDER BY seq NULLS LAST
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS first_ended_us,
    MIN(CASE WHEN n_refusals = 1 THEN seq ELSE CAST(9200000000000000 AS BIGINT) END) OVER earlier AS opened_seq
  FROM runs
  WINDOW earlier AS (
    PARTITION BY client, operation, memory, run_no, period_us
    ORDER BY seq NULLS LAST
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  )
)
SELECT
  client AS client, operation AS operation, memory AS memory, seq AS seq, run_no AS run_no, opened_seq AS opened_seq
FROM remembered
WHERE n_before >= need AND first_ended_us <= at_us;
