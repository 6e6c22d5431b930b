-- Discovery read again in full while the last answer still holds: 304 renews it, a new session may read anew, and a list has further pages.
-- Grain: one row per such read.
-- Reads known_requests, answers, signals, known_targets, source_ranks; settings cache_ignored_min_reads, discovery_lifetime_s, list_page_ms.
WITH
read_often AS (
  SELECT r.client AS client, r.operation AS operation, COUNT(*) AS n_reads
  FROM known_requests r
  JOIN answers a ON a.target = r.target AND a.signal = r.signal
  WHERE a.gives IN (1, 2)
  GROUP BY r.client, r.operation
),
readers AS (
  SELECT o.client AS client
  FROM read_often o
  CROSS JOIN settings s
  WHERE o.n_reads > s.cache_ignored_min_reads
  GROUP BY o.client
),
discovery AS (
  SELECT
    r.client AS client, r.operation AS operation, COALESCE(r.session_token, 0) AS session_token, r.target AS target, r.ts AS ts,
    k.source_rank AS source_rank, r.source AS source, r.line AS line, r.part AS part, a.gives AS gives,
    CASE WHEN COALESCE(g.status, 200) = 304 THEN 0 ELSE 1 END AS n_full,
    t.rpc_method IS NOT NULL AND t.rpc_method <> 'server/discover' AS is_list,
    SUM(CASE WHEN a.gives = 4 THEN 1 ELSE 0 END) OVER (
      PARTITION BY r.client
      ORDER BY r.ts NULLS LAST, k.source_rank NULLS LAST, r.line NULLS LAST, r.part NULLS LAST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS handshake_no
  FROM known_requests r
  JOIN readers d ON d.client = r.client
  JOIN answers a ON a.target = r.target AND a.signal = r.signal
  JOIN signals g ON g.id = r.signal
  JOIN known_targets t ON t.target = r.target
  JOIN source_ranks k ON k.source = r.source
  WHERE a.gives > 0 AND r.ts IS NOT NULL
),
aged AS (
  SELECT
    client AS client, operation AS operation, target AS target, ts AS ts, source AS source, line AS line, n_full AS n_full,
    is_list AS is_list,
    ts - LAG(ts, 1, CAST(-9000000000000000 AS BIGINT)) OVER (
      PARTITION BY client, operation, session_token, handshake_no
      ORDER BY ts NULLS LAST, source_rank NULLS LAST, line NULLS LAST, part NULLS LAST
    ) AS age_us
  FROM discovery
  WHERE gives IN (1, 2)
),
fresh AS (
  SELECT
    d.client AS client, d.target AS target, d.ts AS ts, d.source AS source, d.line AS line,
    COUNT(*) OVER (PARTITION BY d.client, d.operation) AS n_reads
  FROM aged d
  CROSS JOIN settings s
  WHERE d.n_full = 1 AND d.age_us < s.discovery_lifetime_s * 1000000 AND (NOT d.is_list OR d.age_us >= s.list_page_ms * 1000)
)
SELECT
  'cache_ignored' AS rule, f.target AS subject, f.target AS target, f.client AS client, CAST(1 AS BIGINT) AS n_requests,
  CAST(0 AS BIGINT) AS n_measure, f.ts AS ts, f.source AS source, f.line AS line
FROM fresh f
CROSS JOIN settings s
WHERE f.n_reads >= s.cache_ignored_min_reads;
