-- What the storms asked for.
-- Grain: one row per (storm, target, kind, reason), in the order of first request.
-- Reads storm_requests, known_targets, answers.
WITH
counted AS (
  SELECT
    r.storm_kind AS storm_kind, r.client AS client, r.episode AS episode, r.target AS target, a.kind AS kind, a.reason AS reason,
    COUNT(*) AS n_requests,
    SUM(CASE WHEN r.outcome = 'under_gate' THEN 1 ELSE 0 END) AS n_under_gate,
    SUM(CASE WHEN r.outcome = 'avoidable' THEN 1 ELSE 0 END) AS n_avoidable,
    MIN(r.at_us) AS first_us
  FROM storm_requests r
  JOIN answers a ON a.target = r.target AND a.signal = r.signal
  GROUP BY r.storm_kind, r.client, r.episode, r.target, a.kind, a.reason
)
SELECT
  c.storm_kind AS storm_kind, c.client AS client_id, c.episode AS episode, t.authority AS authority, t.http_method AS http_method,
  t.path AS path, t.rpc_method AS rpc_method, t.rpc_name AS rpc_name, t.declared AS declared, c.kind AS kind, c.reason AS reason,
  CAST(c.n_requests AS BIGINT) AS n_requests, CAST(c.n_under_gate AS BIGINT) AS n_under_gate,
  CAST(c.n_avoidable AS BIGINT) AS n_avoidable
FROM counted c
JOIN known_targets t ON t.target = c.target
ORDER BY
  c.storm_kind NULLS LAST, c.client NULLS LAST, c.episode NULLS LAST, c.first_us NULLS LAST, t.authority NULLS LAST,
  t.path NULLS LAST, t.http_method NULLS LAST, t.rpc_method NULLS LAST, t.rpc_name NULLS LAST, c.kind NULLS LAST,
  c.reason NULLS LAST, c.target NULLS LAST;
