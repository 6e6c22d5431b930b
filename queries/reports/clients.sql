-- What each client that was ever refused did, and what the gate would have done with it.
-- Grain: one row per such client, the most avoidable first.
-- Reads watched_requests, gate_replay, retries, storms, known_clients.
WITH
judged AS (
  SELECT
    w.client AS client,
    COUNT(*) AS n_requests,
    SUM(CASE WHEN w.family > 0 OR w.is_throttled OR w.is_transient THEN 1 ELSE 0 END) AS n_refused,
    SUM(CASE WHEN COALESCE(g.outcome, '') = 'avoidable' THEN 1 ELSE 0 END) AS n_avoidable,
    SUM(CASE WHEN COALESCE(g.outcome, '') = 'harm' THEN 1 ELSE 0 END) AS n_harm,
    SUM(CASE WHEN COALESCE(r.is_overrun, FALSE) THEN 1 ELSE 0 END) AS n_overrun
  FROM watched_requests w
  LEFT JOIN gate_replay g ON g.client = w.client AND g.seq = w.seq
  LEFT JOIN retries r ON r.client = w.client AND r.seq = w.seq
  WHERE w.is_judged
  GROUP BY w.client
),
client_storms AS (
  SELECT client AS client, COUNT(*) AS n_storms
  FROM storms
  GROUP BY client
)
SELECT
  k.key AS client,
  CAST(j.n_requests AS BIGINT) AS n_requests,
  CAST(j.n_refused AS BIGINT) AS n_refused,
  CAST(j.n_requests - j.n_avoidable - j.n_harm AS BIGINT) AS n_under_gate,
  CAST(j.n_avoidable AS BIGINT) AS n_avoidable,
  CAST(j.n_harm AS BIGINT) AS n_harm,
  CAST(j.n_overrun AS BIGINT) AS n_overrun,
  CAST(COALESCE(s.n_storms, 0) AS BIGINT) AS n_storms
FROM judged j
JOIN known_clients k ON k.line_client = j.client
LEFT JOIN client_storms s ON s.client = j.client
ORDER BY n_avoidable DESC NULLS LAST, n_refused DESC NULLS LAST, client NULLS LAST;
