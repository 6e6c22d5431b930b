-- Redirects that the client's next request in the episode took without being answered well, where one was so taken often enough.
-- Grain: one row per such redirect, with the request that took it.
-- Reads redirected_clients, known_requests, signals, answers, source_ranks; settings session_gap_s, redirect_loop_min_requests.
WITH
asked AS (
  SELECT
    r.client AS client, r.at_us AS at_us, k.source_rank AS source_rank, r.line AS line, r.part AS part, r.operation AS operation,
    CASE
      WHEN g.status BETWEEN 300 AND 399 AND g.status <> 304 THEN 2
      WHEN a.is_good THEN 1
      ELSE 0
    END AS answered
  FROM known_requests r
  JOIN redirected_clients c ON c.client = r.client
  JOIN signals g ON g.id = r.signal
  JOIN answers a ON a.target = r.target AND a.signal = r.signal
  JOIN source_ranks k ON k.source = r.source
  WHERE NOT a.is_noise
),
followed AS (
  SELECT
    client AS client, at_us AS at_us, source_rank AS source_rank, line AS line, part AS part, operation AS operation, answered AS answered,
    LEAD(answered, 1, 1) OVER own AS next_answered,
    LEAD(operation, 1, CAST(0 AS BIGINT)) OVER own AS next_operation,
    LEAD(at_us, 1, at_us) OVER own AS next_us,
    LEAD(source_rank, 1, CAST(0 AS BIGINT)) OVER own AS next_rank,
    LEAD(line, 1, CAST(0 AS BIGINT)) OVER own AS next_line,
    LEAD(part, 1, CAST(0 AS BIGINT)) OVER own AS next_part
  FROM asked
  WINDOW own AS (PARTITION BY client ORDER BY at_us NULLS LAST, source_rank NULLS LAST, line NULLS LAST, part NULLS LAST)
),
taken AS (
  SELECT
    f.client AS client, f.operation AS operation, f.next_operation AS next_operation,
    f.at_us - MOD(f.at_us, s.session_gap_s * 1000000) AS bucket,
    f.source_rank AS source_rank, f.line AS line, f.part AS part,
    f.next_rank AS next_rank, f.next_line AS next_line, f.next_part AS next_part,
    COUNT(*) OVER (PARTITION BY f.client, f.operation, f.next_operation) AS n_times
  FROM followed f
  CROSS JOIN settings s
  WHERE f.answered = 2 AND f.next_answered <> 1 AND f.next_us - f.at_us <= s.session_gap_s * 1000000
)
SELECT
  t.client AS client, t.operation AS operation, t.next_operation AS next_operation, t.bucket AS bucket,
  k.source AS source, t.line AS line, t.part AS part, n.source AS next_source, t.next_line AS next_line, t.next_part AS next_part
FROM taken t
CROSS JOIN settings s
JOIN source_ranks k ON k.source_rank = t.source_rank
JOIN source_ranks n ON n.source_rank = t.next_rank
WHERE t.n_times >= s.redirect_loop_min_requests;
