-- Storms, the most avoidable first.
-- Grain: one row per storm; `source` and `line` are its first request's, `session_token` NULL where no session id was logged.
-- Reads storms, known_clients, source_ranks.
SELECT
  s.storm_kind AS kind, s.client AS client_id, s.episode AS episode, c.key AS client,
  CASE WHEN s.session_token <> 0 THEN s.session_token END AS session_token,
  s.start_ts AS start_ts, s.end_ts AS end_ts, s.n_requests AS n_requests, s.n_refused AS n_refused, s.n_avoidable AS n_avoidable,
  s.n_under_gate AS n_under_gate, k.name AS source, s.line AS line
FROM storms s
JOIN known_clients c ON c.line_client = s.client
JOIN source_ranks k ON k.source = s.source
ORDER BY
  n_avoidable DESC NULLS LAST, n_requests DESC NULLS LAST, start_ts NULLS LAST, client NULLS LAST, kind NULLS LAST,
  episode NULLS LAST, client_id NULLS LAST;
