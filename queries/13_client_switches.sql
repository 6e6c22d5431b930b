-- Where a line without a principal counts for a named client: its idle session of the same address and user agent names exactly one.
-- Grain: one row per (line client without principal, bucket) that is so mapped; all others keep their own client.
-- Reads peer_buckets, known_clients; settings session_gap_s, client_key.
WITH
joined_buckets AS (
  SELECT
    peer AS peer, bucket AS bucket, MIN(first_us) AS first_us, MAX(last_us) AS last_us, MIN(named_client) AS least_named,
    MAX(named_client) AS greatest_named
  FROM peer_buckets
  GROUP BY peer, bucket
),
preceded AS (
  SELECT
    peer AS peer, bucket AS bucket, first_us AS first_us, least_named AS least_named, greatest_named AS greatest_named,
    LAG(last_us, 1, first_us) OVER (PARTITION BY peer ORDER BY bucket NULLS LAST) AS previous_us
  FROM joined_buckets
),
numbered AS (
  SELECT
    p.peer AS peer, p.bucket AS bucket, p.least_named AS least_named, p.greatest_named AS greatest_named,
    SUM(CASE WHEN p.first_us - p.previous_us > s.session_gap_s * 1000000 THEN 1 ELSE 0 END)
      OVER (PARTITION BY p.peer ORDER BY p.bucket NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS session_no
  FROM preceded p
  CROSS JOIN settings s
),
named AS (
  SELECT
    peer AS peer, bucket AS bucket,
    MIN(least_named) OVER (PARTITION BY peer, session_no) AS least_client,
    MAX(greatest_named) OVER (PARTITION BY peer, session_no) AS greatest_client
  FROM numbered
),
client_keys AS (
  SELECT client AS client, MIN(key) AS key
  FROM known_clients
  GROUP BY client
)
SELECT
  b.line_client AS line_client,
  b.bucket AS bucket,
  n.least_client AS client,
  s.client_key IS NULL OR s.client_key = c.key AS is_chosen,
  TRUE AS is_switched
FROM peer_buckets b
JOIN named n ON n.peer = b.peer AND n.bucket = b.bucket
JOIN client_keys c ON c.client = n.least_client
CROSS JOIN settings s
WHERE b.named_client IS NULL AND n.least_client = n.greatest_client;
