-- The stretches of each client's activity without a pause longer than the session gap; noise is left out.
-- Grain: one row per (client, bucket); `episode` is the start of the first request of the stretch the bucket lies in.
-- Reads client_buckets; settings session_gap_s.
WITH
preceded AS (
  SELECT
    client AS client, bucket AS bucket, first_us AS first_us, last_us AS last_us,
    LAG(last_us, 1, CAST(-9000000000000000 AS BIGINT)) OVER (PARTITION BY client ORDER BY bucket NULLS LAST) AS previous_us
  FROM client_buckets
),
opened AS (
  SELECT
    p.client AS client, p.bucket AS bucket, p.last_us AS last_us,
    CASE
      WHEN p.first_us - p.previous_us > s.session_gap_s * 1000000 THEN p.first_us
      ELSE CAST(-9000000000000000 AS BIGINT)
    END AS opened_us
  FROM preceded p
  CROSS JOIN settings s
)
SELECT
  client AS client,
  bucket AS bucket,
  last_us AS last_us,
  MAX(opened_us) OVER (PARTITION BY client ORDER BY bucket NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS episode
FROM opened;
