-- Storms of reinitialize_loop: handshakes that are answered and come to nothing, one after another.
-- Grain: one row per request claimed by this or an earlier kind: handshakes after which nothing was asked, or whose last request was refused.
-- Reads handshake_clients, known_requests, known_targets, answers, episodes, source_ranks, stale_session_claims; settings reinitialize_loop_min_handshakes, session_gap_s.
WITH
rpc_requests AS (
  SELECT
    r.client AS client, t.endpoint AS endpoint, r.at_us AS at_us, k.source_rank AS source_rank, r.line AS line, r.part AS part,
    CASE WHEN a.gives = 4 THEN 2 WHEN a.family BETWEEN 1 AND 4 THEN 1 ELSE 0 END AS step
  FROM known_requests r
  JOIN handshake_clients h ON h.client = r.client
  JOIN known_targets t ON t.target = r.target
  JOIN answers a ON a.target = r.target AND a.signal = r.signal
  JOIN source_ranks k ON k.source = r.source
  WHERE t.endpoint IS NOT NULL AND NOT a.is_noise AND COALESCE(t.rpc_method, 'notifications/initialized') <> 'notifications/initialized'
),
neighbours AS (
  SELECT
    client AS client, endpoint AS endpoint, at_us AS at_us, source_rank AS source_rank, line AS line, part AS part, step AS step,
    LAG(step, 1, 0) OVER own AS step_before,
    LEAD(step, 1, -1) OVER own AS step_after
  FROM rpc_requests
  WINDOW own AS (
    PARTITION BY client, endpoint ORDER BY at_us NULLS LAST, source_rank NULLS LAST, line NULLS LAST, part NULLS LAST
  )
),
ends AS (
  SELECT
    client AS client, at_us AS at_us, source_rank AS source_rank, line AS line, part AS part, step AS step,
    CASE
      WHEN step_after = -1 THEN 1
      ELSE LEAD(CASE WHEN step = 2 AND step_before > 0 THEN 1 WHEN step = 1 THEN 1 ELSE 0 END, 1, 0) OVER (
        PARTITION BY client, endpoint ORDER BY at_us NULLS LAST, source_rank NULLS LAST, line NULLS LAST, part NULLS LAST
      )
    END AS n_fruitless
  FROM neighbours
  WHERE step = 2 OR step_after = -1
),
fruitless AS (
  SELECT
    h.client AS client, k.source AS source, h.line AS line, h.part AS part,
    h.at_us - MOD(h.at_us, s.session_gap_s * 1000000) AS bucket
  FROM ends h
  CROSS JOIN settings s
  JOIN source_ranks k ON k.source_rank = h.source_rank
  WHERE h.step = 2 AND h.n_fruitless = 1
),
counted AS (
  SELECT
    u.client AS client, e.episode AS episode, u.source AS source, u.line AS line, u.part AS part,
    COUNT(*) OVER (PARTITION BY u.client, e.episode) AS n_handshakes
  FROM fruitless u
  JOIN episodes e ON e.client = u.client AND e.bucket = u.bucket
  LEFT JOIN stale_session_claims c ON c.source = u.source AND c.line = u.line AND c.part = u.part
  WHERE c.storm_kind IS NULL
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
