-- Savings by kind: a held request is booked under the kind that holds it, any other under its own.
-- Grain: one row per kind; n_requests = n_under_gate + n_avoidable + n_harm.
-- Reads answer_counts, answers, gate_replay, watched_requests.
WITH
entries AS (
  SELECT COALESCE(a.kind, 'ambiguous') AS kind, c.n_requests AS n_requests, CAST(0 AS BIGINT) AS n_avoidable, CAST(0 AS BIGINT) AS n_harm
  FROM answer_counts c
  LEFT JOIN answers a ON a.target = c.target AND a.signal = c.signal
  UNION ALL
  SELECT w.kind AS kind, CAST(-1 AS BIGINT) AS n_requests, CAST(0 AS BIGINT) AS n_avoidable, CAST(0 AS BIGINT) AS n_harm
  FROM gate_replay g
  JOIN watched_requests w ON w.client = g.client AND w.seq = g.seq
  UNION ALL
  SELECT
    kind AS kind,
    CAST(1 AS BIGINT) AS n_requests,
    CAST(CASE WHEN outcome = 'avoidable' THEN 1 ELSE 0 END AS BIGINT) AS n_avoidable,
    CAST(CASE WHEN outcome = 'harm' THEN 1 ELSE 0 END AS BIGINT) AS n_harm
  FROM gate_replay
)
SELECT
  kind AS kind,
  CAST(SUM(n_requests) AS BIGINT) AS n_requests,
  CAST(SUM(n_requests - n_avoidable - n_harm) AS BIGINT) AS n_under_gate,
  CAST(SUM(n_avoidable) AS BIGINT) AS n_avoidable,
  CAST(SUM(n_harm) AS BIGINT) AS n_harm
FROM entries
GROUP BY kind;
