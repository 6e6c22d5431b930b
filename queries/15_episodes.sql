-- The stretches of each client's activity without a pause longer than the session gap; noise is left out.
-- Grain: one row per (client, bucket); `episode` is the start of the first request of the stretch the bucket lies in.
-- Reads client_buckets, known_clients, client_switches; settings session_gap_s.
WITH
own_buckets AS (
  SELECT
    CASE WHEN COALESCE(w.is_switched, FALSE) THEN w.client ELSE k.client END AS client,
    b.bucket AS bucket, b.first_us AS first_us, b.last_us AS last_us
  FROM client_buckets b
  JOIN known_clients k ON k.line_client = b.line_client
  LEFT JOIN client_switches w ON w.line_client = b.line_client AND w.bucket = b.bucket
  WHERE CASE WHEN COALESCE(w.is_switched, FALSE) THEN w.is_chosen ELSE k.is_chosen END
),
joined_buckets AS (
  SELECT client AS client, bucket AS bucket, MIN(first_us) AS first_us, MAX(last_us) AS last_us
  FROM own_buckets
  GROUP BY client, bucket
),
preceded AS (
  SELECT
    client AS client, bucket AS bucket, first_us AS first_us, last_us AS last_us,
    LAG(last_us, 1, CAST(-9000000000000000 AS BIGINT)) OVER (PARTITION BY client ORDER BY bucket NULLS LAST) AS previous_us
  FROM joined_buckets
)
SELECT
  p.client AS client,
  p.bucket AS bucket,
  p.first_us AS first_us,
  p.last_us AS last_us,
  p.first_us - p.previous_us > s.session_gap_s * 1000000 AS is_first,
  MAX(CASE WHEN p.first_us - p.previous_us > s.session_gap_s * 1000000 THEN p.first_us ELSE CAST(-9000000000000000 AS BIGINT) END)
    OVER (PARTITION BY p.client ORDER BY p.bucket NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS episode
FROM preceded p
CROSS JOIN settings s;
