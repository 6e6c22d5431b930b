-- Lines that a client may have written itself: their time fits neither neighbour, or what was asked for carries a line break.
-- Grain: one row per such request; `n_measure` is 1 for a line break.
-- Reads known_requests, known_targets, known_clients; settings forged_line_displacement_s, forged_line_min_lines, forged_line_max_disorder_percent, forged_line_most, forged_line_min_apart.
WITH
broken AS (
  SELECT target AS target
  FROM known_targets
  WHERE REPLACE(REPLACE(REPLACE(LOWER(COALESCE(path, '')), '%0a', ''), '\x0a', ''), '
', '') <> LOWER(COALESCE(path, ''))
),
broken_agents AS (
  SELECT client AS client
  FROM known_clients
  WHERE REPLACE(REPLACE(LOWER(COALESCE(user_agent, '')), '\x0a', ''), '
', '') <> LOWER(COALESCE(user_agent, ''))
  GROUP BY client
),
stretches AS (
  SELECT
    source AS source, line - MOD(line, 1000) AS stretch, MIN(ts + COALESCE(duration_us, 0)) AS first_us,
    MAX(ts + COALESCE(duration_us, 0)) AS last_us
  FROM known_requests
  GROUP BY source, line - MOD(line, 1000)
),
wide AS (
  SELECT w.source AS source, w.stretch AS stretch
  FROM stretches w
  CROSS JOIN settings s
  WHERE w.last_us - w.first_us > s.forged_line_displacement_s * 1000000
),
placed AS (
  SELECT
    source AS source, line AS line, part AS part, client AS client, ts AS ts, ts + COALESCE(duration_us, 0) AS ended_us,
    CASE WHEN duration_us IS NULL THEN 0 ELSE 1 END AS n_measured, line - MOD(line, 1000) AS stretch
  FROM known_requests
  WHERE ts IS NOT NULL
),
neighbours AS (
  SELECT
    p.source AS source, p.line AS line, p.part AS part, p.client AS client, p.ts AS ts, p.ended_us AS ended_us, p.n_measured AS n_measured,
    LAG(p.ended_us, 1, CAST(-9000000000000000 AS BIGINT)) OVER own AS before_us,
    LEAD(p.ended_us, 1, CAST(-9000000000000000 AS BIGINT)) OVER own AS after_us
  FROM placed p
  JOIN wide w ON w.source = p.source AND w.stretch = p.stretch
  WINDOW own AS (PARTITION BY p.source ORDER BY p.line NULLS LAST, p.part NULLS LAST)
),
jumps AS (
  SELECT
    n.source AS source, n.line AS line, n.part AS part, n.client AS client, n.ts AS ts, n.ended_us AS ended_us, n.n_measured AS n_measured,
    n.before_us AS before_us, n.after_us AS after_us,
    CASE WHEN n.ended_us < n.before_us AND n.before_us - n.ended_us <= s.forged_line_displacement_s * 1000000 THEN 1 ELSE 0 END AS n_back,
    CASE WHEN ABS(n.ended_us - n.before_us) > s.forged_line_displacement_s * 1000000 THEN 1 ELSE 0 END AS n_jumps,
    CASE WHEN ABS(n.ended_us - n.after_us) > s.forged_line_displacement_s * 1000000 THEN 1 ELSE 0 END AS n_jumps_after
  FROM neighbours n
  CROSS JOIN settings s
),
numbered AS (
  SELECT
    source AS source, line AS line, part AS part, client AS client, ts AS ts, ended_us AS ended_us, n_measured AS n_measured,
    COUNT(*) OVER (PARTITION BY source) AS n_ordered,
    SUM(n_back) OVER (PARTITION BY source) AS n_back,
    CASE WHEN n_jumps = 1 THEN before_us ELSE CAST(-9100000000000000 AS BIGINT) END AS before_us,
    CASE WHEN n_jumps_after = 1 THEN after_us ELSE CAST(-9100000000000000 AS BIGINT) END AS after_us,
    SUM(n_jumps) OVER (
      PARTITION BY source ORDER BY line NULLS LAST, part NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS run_no
  FROM jumps
),
runs_of_lines AS (
  SELECT
    source AS source, line AS line, part AS part, client AS client, ts AS ts, n_ordered AS n_ordered, n_back AS n_back,
    COUNT(*) OVER own AS n_lines,
    MIN(ended_us) OVER own AS first_us,
    MAX(ended_us) OVER own AS last_us,
    MAX(before_us) OVER own AS before_us,
    MAX(after_us) OVER own AS after_us,
    MIN(n_measured) OVER own AS n_all_measured,
    ROW_NUMBER() OVER (PARTITION BY source, run_no ORDER BY line NULLS LAST, part NULLS LAST) AS line_no
  FROM numbered
  WINDOW own AS (PARTITION BY source, run_no)
),
displaced AS (
  SELECT
    m.client AS client, m.ts AS ts, m.source AS source, m.line AS line, m.n_ordered AS n_ordered,
    CASE WHEN m.line_no = 1 THEN 1 ELSE 0 END AS n_runs
  FROM runs_of_lines m
  CROSS JOIN settings s
  WHERE m.n_lines <= s.forged_line_most
    AND m.n_ordered >= s.forged_line_min_lines AND m.n_back * 100 <= m.n_ordered * s.forged_line_max_disorder_percent
    AND m.before_us > -9000000000000000 AND m.after_us > -9000000000000000
    AND ABS(m.after_us - m.before_us) <= s.forged_line_displacement_s * 1000000
    AND (m.first_us > m.before_us OR m.n_all_measured = 1)
),
rare AS (
  SELECT
    client AS client, ts AS ts, source AS source, line AS line, n_ordered AS n_ordered,
    SUM(n_runs) OVER (PARTITION BY source) AS n_runs
  FROM displaced
)
SELECT
  'forged_line_suspected' AS rule, CAST(0 AS BIGINT) AS subject, CAST(0 AS BIGINT) AS target, r.client AS client,
  CAST(1 AS BIGINT) AS n_requests, CAST(0 AS BIGINT) AS n_measure, r.ts AS ts, r.source AS source, r.line AS line
FROM rare r
CROSS JOIN settings s
WHERE (r.n_runs - 1) * s.forged_line_min_apart <= r.n_ordered
UNION ALL
SELECT
  'forged_line_suspected' AS rule, CAST(0 AS BIGINT) AS subject, CAST(0 AS BIGINT) AS target, r.client AS client,
  CAST(1 AS BIGINT) AS n_requests, CAST(1 AS BIGINT) AS n_measure, r.ts AS ts, r.source AS source, r.line AS line
FROM known_requests r
JOIN broken b ON b.target = r.target
UNION ALL
SELECT
  'forged_line_suspected' AS rule, CAST(0 AS BIGINT) AS subject, CAST(0 AS BIGINT) AS target, r.client AS client,
  CAST(1 AS BIGINT) AS n_requests, CAST(1 AS BIGINT) AS n_measure, r.ts AS ts, r.source AS source, r.line AS line
FROM known_requests r
JOIN broken_agents b ON b.client = r.client;
