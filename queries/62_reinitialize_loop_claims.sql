-- Storms of reinitialize_loop: handshakes that are answered and come to nothing, one after another.
-- Grain: one row per request claimed by this or an earlier kind: handshakes after which nothing was asked, or whose last request was refused.
-- Reads handshake_clients, known_requests, known_targets, answers, episodes, source_ranks, stale_session_claims; settings reinitialize_loop_min_handshakes.
WITH
rpc_requests AS (
  SELECT
    r.client AS client, t.endpoint AS endpoint, e.episode AS episode, r.source AS source, r.line AS line, r.part AS part,
    k.source_rank AS source_rank, r.at_us AS at_us,
    CASE WHEN a.gives = 4 THEN 1 ELSE 0 END AS n_handshakes,
    CASE WHEN a.family BETWEEN 1 AND 4 THEN 1 ELSE 0 END AS n_refused
  FROM known_requests r
  JOIN handshake_clients h ON h.client = r.client
  JOIN known_targets t ON t.target = r.target
  JOIN answers a ON a.target = r.target AND a.signal = r.signal
  JOIN episodes e ON e.client = r.client AND e.bucket = r.bucket
  JOIN source_ranks k ON k.source = r.source
  WHERE t.endpoint IS NOT NULL AND NOT a.is_noise AND COALESCE(t.rpc_method, 'notifications/initialized') <> 'notifications/initialized'
),
numbered AS (
  SELECT
    client AS client, endpoint AS endpoint, episode AS episode, source AS source, line AS line, part AS part,
    n_handshakes AS n_handshakes, n_refused AS n_refused,
    LEAD(n_handshakes, 1, 1) OVER (
      PARTITION BY client, endpoint ORDER BY at_us NULLS LAST, source_rank NULLS LAST, line NULLS LAST, part NULLS LAST
    ) AS n_next,
    SUM(n_handshakes) OVER (
      PARTITION BY client, endpoint
      ORDER BY at_us NULLS LAST, source_rank NULLS LAST, line NULLS LAST, part NULLS LAST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS handshake_no
  FROM rpc_requests
),
used AS (
  SELECT
    client AS client, episode AS episode, source AS source, line AS line, part AS part, n_handshakes AS n_handshakes,
    MAX(CASE WHEN n_next = 1 AND (n_handshakes = 1 OR n_refused = 1) THEN 1 ELSE 0 END)
      OVER (PARTITION BY client, endpoint, handshake_no) AS n_fruitless
  FROM numbered
),
counted AS (
  SELECT
    u.client AS client, u.episode AS episode, u.source AS source, u.line AS line, u.part AS part,
    COUNT(*) OVER (PARTITION BY u.client, u.episode) AS n_handshakes
  FROM used u
  LEFT JOIN stale_session_claims c ON c.source = u.source AND c.line = u.line AND c.part = u.part
  WHERE u.n_handshakes = 1 AND u.n_fruitless = 1 AND c.storm_kind IS NULL
)
SELECT
  storm_kind AS storm_kind, client AS client, episode AS episode, source AS source, line AS line, part AS part
FROM stale_session_claims
UNION ALL
SELECT
  'reinitialize_loop' AS storm_kind,
  c.client AS client, c.episode AS episode, c.source AS source, c.line AS line, c.part AS part
FROM counted c
CROSS JOIN settings s
WHERE c.n_handshakes >= s.reinitialize_loop_min_handshakes;
