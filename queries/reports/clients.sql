-- What each client that was ever refused did, and what the gate would have done with it.
-- Grain: one row per such client, the most avoidable first.
-- Reads known_requests, refused_operations, gate_replay, retries, storms, known_clients.
WITH
asked AS (
  SELECT client AS client, COUNT(*) AS n_requests
  FROM known_requests
  GROUP BY client
),
refused AS (
  SELECT client AS client, SUM(n_refused + n_failed) AS n_refused
  FROM refused_operations
  GROUP BY client
),
held AS (
  SELECT
    client AS client,
    SUM(CASE WHEN outcome = 'avoidable' THEN 1 ELSE 0 END) AS n_avoidable,
    SUM(CASE WHEN outcome = 'harm' THEN 1 ELSE 0 END) AS n_harm
  FROM gate_replay
  GROUP BY client
),
overrun AS (
  SELECT client AS client, SUM(CASE WHEN is_overrun THEN 1 ELSE 0 END) AS n_overrun
  FROM retries
  GROUP BY client
),
stormed AS (
  SELECT client AS client, COUNT(*) AS n_storms
  FROM storms
  GROUP BY client
)
SELECT
  k.key AS client,
  CAST(a.n_requests AS BIGINT) AS n_requests,
  CAST(r.n_refused AS BIGINT) AS n_refused,
  CAST(a.n_requests - COALESCE(h.n_avoidable, 0) - COALESCE(h.n_harm, 0) AS BIGINT) AS n_under_gate,
  CAST(COALESCE(h.n_avoidable, 0) AS BIGINT) AS n_avoidable,
  CAST(COALESCE(h.n_harm, 0) AS BIGINT) AS n_harm,
  CAST(COALESCE(o.n_overrun, 0) AS BIGINT) AS n_overrun,
  CAST(COALESCE(s.n_storms, 0) AS BIGINT) AS n_storms
FROM asked a
JOIN refused r ON r.client = a.client
JOIN known_clients k ON k.line_client = a.client
LEFT JOIN held h ON h.client = a.client
LEFT JOIN overrun o ON o.client = a.client
LEFT JOIN stormed s ON s.client = a.client
ORDER BY n_avoidable DESC NULLS LAST, n_refused DESC NULLS LAST, client NULLS LAST;
