-- The clients that a page names; all others are summed. Those that stormed come first, then the most refused. Kept as a view.
-- Grain: one row per client, `client_no` from 1 to at most `page_clients`.
-- Reads client_buckets, refused_operations, storms; settings page_clients.
WITH
asked AS (
  SELECT client AS client, SUM(n_requests) AS n_requests
  FROM client_buckets
  GROUP BY client
),
refused AS (
  SELECT client AS client, SUM(n_refused + n_failed) AS n_refused
  FROM refused_operations
  GROUP BY client
),
stormed AS (
  SELECT client AS client, SUM(n_requests) AS n_stormed
  FROM storms
  GROUP BY client
),
ranked AS (
  SELECT
    a.client AS client,
    ROW_NUMBER() OVER (
      ORDER BY
        COALESCE(s.n_stormed, 0) DESC NULLS LAST, COALESCE(r.n_refused, 0) DESC NULLS LAST, a.n_requests DESC NULLS LAST,
        a.client NULLS LAST
    ) AS client_no
  FROM asked a
  LEFT JOIN refused r ON r.client = a.client
  LEFT JOIN stormed s ON s.client = a.client
)
SELECT r.client AS client, CAST(r.client_no AS BIGINT) AS client_no
FROM ranked r
CROSS JOIN settings s
WHERE r.client_no <= s.page_clients;
