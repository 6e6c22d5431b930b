-- Findings that are no storms, each with the clients it speaks of and the lines that prove it.
-- Grain: one row per (rule, subject, line), at most `evidence_lines` of each of the first `rule_findings` subjects of a rule; first one line of each client.
-- Reads refusal_unstable, recurring_refusal, unmet_demand, refused_before_discovery, scanner, retry_after_ignored, probe_refused, slow_loop, no_backoff, lockstep_herd, gateway_retries_multiply, stale_session_header, cache_ignored, uncached_probing, forged_line_suspected, deploy_burst, known_clients, known_targets, source_ranks; settings evidence_lines, rule_findings.
WITH
all_rows AS (
  SELECT rule AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure, ts AS ts, source AS source, line AS line
  FROM refusal_unstable
  UNION ALL
  SELECT rule AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure, ts AS ts, source AS source, line AS line
  FROM recurring_refusal
  UNION ALL
  SELECT rule AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure, ts AS ts, source AS source, line AS line
  FROM unmet_demand
  UNION ALL
  SELECT rule AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure, ts AS ts, source AS source, line AS line
  FROM refused_before_discovery
  UNION ALL
  SELECT rule AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure, ts AS ts, source AS source, line AS line
  FROM scanner
  UNION ALL
  SELECT rule AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure, ts AS ts, source AS source, line AS line
  FROM retry_after_ignored
  UNION ALL
  SELECT rule AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure, ts AS ts, source AS source, line AS line
  FROM probe_refused
  UNION ALL
  SELECT rule AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure, ts AS ts, source AS source, line AS line
  FROM slow_loop
  UNION ALL
  SELECT rule AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure, ts AS ts, source AS source, line AS line
  FROM no_backoff
  UNION ALL
  SELECT rule AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure, ts AS ts, source AS source, line AS line
  FROM lockstep_herd
  UNION ALL
  SELECT rule AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure, ts AS ts, source AS source, line AS line
  FROM gateway_retries_multiply
  UNION ALL
  SELECT rule AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure, ts AS ts, source AS source, line AS line
  FROM stale_session_header
  UNION ALL
  SELECT rule AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure, ts AS ts, source AS source, line AS line
  FROM cache_ignored
  UNION ALL
  SELECT rule AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure, ts AS ts, source AS source, line AS line
  FROM uncached_probing
  UNION ALL
  SELECT rule AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure, ts AS ts, source AS source, line AS line
  FROM forged_line_suspected
  UNION ALL
  SELECT rule AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure, ts AS ts, source AS source, line AS line
  FROM deploy_burst
),
cited_lines AS (
  SELECT
    rule AS rule, subject AS subject, client AS client, source AS source, line AS line, MIN(target) AS target,
    SUM(n_requests) AS n_requests, SUM(n_measure) AS n_measure, MIN(ts) AS ts
  FROM all_rows
  GROUP BY rule, subject, client, source, line
),
keyed AS (
  SELECT
    r.rule AS rule, r.subject AS subject, c.key AS client, k.name AS source, k.source_rank AS source_rank, r.line AS line,
    r.target AS target, r.n_requests AS n_requests, r.n_measure AS n_measure, r.ts AS ts
  FROM cited_lines r
  JOIN known_clients c ON c.line_client = r.client
  JOIN source_ranks k ON k.source = r.source
),
summed AS (
  SELECT
    rule AS rule, subject AS subject, client AS client, source AS source, source_rank AS source_rank, line AS line,
    MIN(target) OVER own AS target,
    MIN(ts) OVER own AS since_us,
    SUM(n_requests) OVER own AS n_total,
    SUM(n_measure) OVER own AS n_measured,
    SUM(n_requests) OVER (PARTITION BY rule, subject, client) AS n_requests,
    ROW_NUMBER() OVER (PARTITION BY rule, subject, client ORDER BY source_rank NULLS LAST, line NULLS LAST) AS line_no
  FROM keyed
  WINDOW own AS (PARTITION BY rule, subject)
),
ranked AS (
  SELECT
    rule AS rule, subject AS subject, client AS client, source AS source, line AS line, target AS target, since_us AS since_us,
    n_total AS n_total, n_measured AS n_measured, n_requests AS n_requests,
    DENSE_RANK() OVER (PARTITION BY rule ORDER BY n_total DESC NULLS LAST, subject NULLS LAST) AS subject_no,
    DENSE_RANK() OVER (PARTITION BY rule, subject ORDER BY n_requests DESC NULLS LAST, client NULLS LAST) AS client_no,
    ROW_NUMBER() OVER (
      PARTITION BY rule, subject
      ORDER BY line_no NULLS LAST, n_requests DESC NULLS LAST, client NULLS LAST, source_rank NULLS LAST, line NULLS LAST
    ) AS place
  FROM summed
),
counted AS (
  SELECT
    rule AS rule, subject AS subject, client AS client, source AS source, line AS line, target AS target, since_us AS since_us,
    n_total AS n_total, n_measured AS n_measured, n_requests AS n_requests, subject_no AS subject_no, place AS place,
    MAX(client_no) OVER (PARTITION BY rule, subject) AS n_clients
  FROM ranked
)
SELECT
  r.rule AS rule, r.subject AS subject, t.http_method AS http_method, t.path AS path, t.rpc_method AS rpc_method,
  t.rpc_name AS rpc_name, r.client AS client, CAST(r.n_requests AS BIGINT) AS n_requests, CAST(r.n_measured AS BIGINT) AS n_measured,
  CAST(r.n_total AS BIGINT) AS n_total, CAST(r.n_clients AS BIGINT) AS n_clients, r.since_us AS since_us, r.source AS source, r.line AS line
FROM counted r
CROSS JOIN settings s
LEFT JOIN known_targets t ON t.target = r.target
WHERE r.place <= s.evidence_lines AND r.subject_no <= s.rule_findings
ORDER BY r.rule NULLS LAST, r.subject_no NULLS LAST, r.place NULLS LAST;
