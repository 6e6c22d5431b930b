-- What worked before, is refused once and works again, for many clients at about one time.
-- Grain: one row per such refusal; `burst_us` is when the burst began, `bucket` a stretch of time around that.
-- Reads watched_requests; settings deploy_burst_min_clients, deploy_burst_gap_s, session_gap_s.
WITH
mended AS (
  SELECT client AS client, operation AS operation
  FROM watched_requests
  WHERE is_judged
  GROUP BY client, operation
  HAVING MAX(is_good) AND MAX(family IN (1, 3, 5))
),
told AS (
  SELECT
    w.client AS client, w.authority_id AS authority_id, w.target AS target, w.family AS family, w.ts AS ts, w.source AS source,
    w.line AS line,
    LAG(CASE WHEN w.is_good THEN 1 ELSE 0 END, 1, 0) OVER own AS n_good_before,
    LEAD(CASE WHEN w.is_good THEN 1 ELSE 0 END, 1, 0) OVER own AS n_good_after
  FROM watched_requests w
  JOIN mended m ON m.client = w.client AND m.operation = w.operation
  WHERE w.is_judged
  WINDOW own AS (PARTITION BY w.client, w.operation ORDER BY w.seq NULLS LAST)
),
blips AS (
  SELECT
    t.client AS client, t.authority_id AS authority_id, t.target AS target, t.ts AS ts, t.source AS source, t.line AS line,
    CASE
      WHEN t.ts - LAG(t.ts, 1, CAST(-9000000000000000 AS BIGINT)) OVER (PARTITION BY t.authority_id ORDER BY t.ts NULLS LAST)
        > s.deploy_burst_gap_s * 1000000 THEN t.ts
      ELSE CAST(-9000000000000000 AS BIGINT)
    END AS opened_us
  FROM told t
  CROSS JOIN settings s
  WHERE t.family IN (1, 3, 5) AND t.n_good_before = 1 AND t.n_good_after = 1 AND t.ts IS NOT NULL
),
bursts AS (
  SELECT
    client AS client, authority_id AS authority_id, target AS target, ts AS ts, source AS source, line AS line,
    MAX(opened_us) OVER (
      PARTITION BY authority_id ORDER BY ts NULLS LAST, opened_us NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS burst_us
  FROM blips
),
placed AS (
  SELECT
    client AS client, authority_id AS authority_id, target AS target, ts AS ts, source AS source, line AS line, burst_us AS burst_us,
    ROW_NUMBER() OVER (PARTITION BY authority_id, burst_us, client ORDER BY ts NULLS LAST, source NULLS LAST, line NULLS LAST) AS blip_no
  FROM bursts
),
counted AS (
  SELECT
    client AS client, authority_id AS authority_id, target AS target, ts AS ts, source AS source, line AS line, burst_us AS burst_us,
    SUM(CASE WHEN blip_no = 1 THEN 1 ELSE 0 END) OVER (PARTITION BY authority_id, burst_us) AS n_clients
  FROM placed
)
SELECT
  c.client AS client, c.authority_id AS authority_id, c.target AS target, c.ts AS ts, c.source AS source, c.line AS line,
  c.burst_us AS burst_us, c.burst_us - MOD(c.burst_us, s.session_gap_s * 1000000) AS bucket, CAST(c.n_clients AS BIGINT) AS n_clients
FROM counted c
CROSS JOIN settings s
WHERE c.n_clients >= s.deploy_burst_min_clients;
