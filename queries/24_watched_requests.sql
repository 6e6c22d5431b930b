-- The requests that the replay walks, in order, with what each answer means.
-- Grain: one row per refused or beside line other than noise; `seq` is its place among the client's.
-- Reads refused_lines, beside_lines, answers, known_targets, source_ranks, episodes.
WITH
watched_lines AS (
  SELECT
    client AS client, source AS source, line AS line, part AS part, ts AS ts, at_us AS at_us, bucket AS bucket,
    duration_us AS duration_us, session_token AS session_token, target AS target, operation AS operation, signal AS signal,
    response_bytes AS response_bytes, is_judged AS is_judged
  FROM refused_lines
  UNION ALL
  SELECT
    client AS client, source AS source, line AS line, part AS part, ts AS ts, at_us AS at_us, bucket AS bucket,
    duration_us AS duration_us, session_token AS session_token, target AS target, operation AS operation, signal AS signal,
    response_bytes AS response_bytes, is_judged AS is_judged
  FROM beside_lines
),
numbered AS (
  SELECT
    r.client AS client,
    ROW_NUMBER() OVER (
      PARTITION BY r.client
      ORDER BY r.at_us NULLS LAST, k.source_rank NULLS LAST, r.line NULLS LAST, r.part NULLS LAST
    ) AS seq,
    r.source AS source, r.line AS line, r.part AS part, r.ts AS ts, r.at_us AS at_us, r.bucket AS bucket,
    r.duration_us AS duration_us, r.session_token AS session_token, r.target AS target, r.operation AS operation,
    r.signal AS signal, r.response_bytes AS response_bytes, r.is_judged AS is_judged
  FROM watched_lines r
  JOIN source_ranks k ON k.source = r.source
)
SELECT
  r.client AS client,
  CAST(r.seq AS BIGINT) AS seq,
  e.episode AS episode,
  r.source AS source, r.line AS line, r.part AS part, r.ts AS ts, r.at_us AS at_us,
  r.at_us + COALESCE(r.duration_us, 0) AS ended_us,
  r.session_token AS session_token, r.target AS target, r.operation AS operation, r.signal AS signal,
  r.duration_us AS duration_us, r.response_bytes AS response_bytes,
  t.authority_id AS authority_id, t.route AS route,
  a.kind AS kind, a.memory AS memory, a.family AS family, a.lifted_by AS lifted_by, a.gives AS gives,
  a.is_good AS is_good, a.is_probe AS is_probe, r.is_judged AS is_judged
FROM numbered r
JOIN answers a ON a.target = r.target AND a.signal = r.signal
JOIN known_targets t ON t.target = r.target
JOIN episodes e ON e.client = r.client AND e.bucket = r.bucket
WHERE NOT a.is_noise;
