-- What the clients of the first storms did while they lasted.
-- Grain: one row per request of a storm's client in the storm's episode, at most `path_requests` of each of the first `path_storms`.
-- Reads storms, storm_requests, known_requests, episodes, client_buckets, known_clients, known_targets, signals, answers, source_ranks, gate_replay, retries.
WITH
ranked AS (
  SELECT
    s.storm_kind AS storm_kind, s.client AS client, s.episode AS episode, c.key AS client_key, k.name AS first_source,
    s.line AS first_line,
    ROW_NUMBER() OVER (
      ORDER BY
        s.n_avoidable DESC NULLS LAST, s.n_requests DESC NULLS LAST, s.start_ts NULLS LAST, c.key NULLS LAST,
        s.storm_kind NULLS LAST, s.episode NULLS LAST, s.client NULLS LAST
    ) AS storm_no
  FROM storms s
  JOIN known_clients c ON c.line_client = s.client
  JOIN source_ranks k ON k.source = s.source
),
bounds AS (
  SELECT storm_kind AS storm_kind, client AS client, episode AS episode, MIN(at_us) AS first_us, MAX(at_us) AS last_us
  FROM storm_requests
  GROUP BY storm_kind, client, episode
),
counted AS (
  SELECT
    r.storm_kind AS storm_kind, r.client AS client, r.episode AS episode, r.client_key AS client_key, r.first_source AS first_source,
    r.first_line AS first_line, r.storm_no AS storm_no, e.bucket AS bucket, b.first_us AS first_us, b.last_us AS last_us,
    SUM(n.n_requests) OVER (
      PARTITION BY r.storm_no
      ORDER BY e.bucket NULLS LAST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - n.n_requests AS n_before,
    ROW_NUMBER() OVER (PARTITION BY r.storm_no ORDER BY e.bucket NULLS LAST) AS bucket_no,
    x.path_requests AS path_requests
  FROM ranked r
  CROSS JOIN settings x
  JOIN bounds b ON b.storm_kind = r.storm_kind AND b.client = r.client AND b.episode = r.episode
  JOIN episodes e ON e.client = r.client AND e.episode = r.episode
  JOIN client_buckets n ON n.client = e.client AND n.bucket = e.bucket
  WHERE r.storm_no <= x.path_storms AND e.bucket <= b.last_us AND e.bucket + x.session_gap_s * 1000000 > b.first_us
),
drawn AS (
  SELECT
    storm_kind AS storm_kind, client AS client, episode AS episode, client_key AS client_key, first_source AS first_source,
    first_line AS first_line, storm_no AS storm_no, bucket AS bucket, first_us AS first_us, last_us AS last_us
  FROM counted
  WHERE n_before < path_requests OR bucket_no <= 2
),
placed AS (
  SELECT
    d.storm_kind AS storm_kind, d.client AS client, d.episode AS episode, d.client_key AS client_key, d.first_source AS first_source,
    d.first_line AS first_line, d.storm_no AS storm_no,
    r.ts AS ts, r.source AS source, r.line AS line, r.part AS part, k.name AS source_name, r.target AS target, r.signal AS signal,
    ROW_NUMBER() OVER (
      PARTITION BY d.storm_no
      ORDER BY r.at_us NULLS LAST, k.source_rank NULLS LAST, r.line NULLS LAST, r.part NULLS LAST
    ) AS place
  FROM known_requests r
  JOIN drawn d ON d.client = r.client AND d.bucket = r.bucket
  JOIN source_ranks k ON k.source = r.source
  WHERE r.at_us >= d.first_us AND r.at_us <= d.last_us
)
SELECT
  p.storm_kind AS storm_kind, p.client_key AS client, p.first_source AS first_source, p.first_line AS first_line,
  p.ts AS ts, CAST(p.place AS BIGINT) AS place, t.authority AS authority, t.http_method AS http_method, t.path AS path,
  t.rpc_method AS rpc_method, t.rpc_name AS rpc_name, a.kind AS kind, s.status AS status,
  COALESCE(g.outcome, '') IN ('avoidable', 'harm') OR COALESCE(x.is_overrun, FALSE) AS is_spared,
  q.storm_kind IS NOT NULL AS in_storm,
  p.source_name AS source, p.line AS line
FROM placed p
JOIN known_targets t ON t.target = p.target
JOIN signals s ON s.id = p.signal
JOIN answers a ON a.target = p.target AND a.signal = p.signal
CROSS JOIN settings z
LEFT JOIN gate_replay g ON g.source = p.source AND g.line = p.line AND g.part = p.part
LEFT JOIN retries x ON x.source = p.source AND x.line = p.line AND x.part = p.part
LEFT JOIN storm_requests q
  ON q.source = p.source AND q.line = p.line AND q.part = p.part AND q.storm_kind = p.storm_kind
WHERE p.place <= z.path_requests
ORDER BY p.storm_no NULLS LAST, p.place NULLS LAST;
