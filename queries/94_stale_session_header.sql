-- Requests of a revision without sessions and resumption that bear a session id or Last-Event-ID all the same: both are ignored.
-- Grain: one row per (target, signal, client) of such requests, cited by the first line.
-- Reads known_requests, signals; settings stale_session_header_min_requests.
WITH
borne AS (
  SELECT
    r.client AS client, r.target AS target, r.source AS source, COUNT(*) AS n_requests, MIN(r.ts) AS ts, MIN(r.line) AS line
  FROM known_requests r
  JOIN signals g ON g.id = r.signal
  WHERE g.protocol_version = '2026-07-28' AND (g.has_session = 'yes' OR g.last_event_id = 'yes' OR r.session_token IS NOT NULL)
  GROUP BY r.client, r.target, r.source
),
counted AS (
  SELECT
    client AS client, target AS target, source AS source, n_requests AS n_requests, ts AS ts, line AS line,
    SUM(n_requests) OVER (PARTITION BY client) AS n_borne
  FROM borne
)
SELECT
  'stale_session_header' AS rule, CAST(0 AS BIGINT) AS subject, CAST(0 AS BIGINT) AS target, c.client AS client,
  CAST(c.n_requests AS BIGINT) AS n_requests, CAST(0 AS BIGINT) AS n_measure, c.ts AS ts, c.source AS source, c.line AS line
FROM counted c
CROSS JOIN settings s
WHERE c.n_borne >= s.stale_session_header_min_requests;
