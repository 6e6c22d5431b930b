-- Findings that are no storms, each with the clients it speaks of.
-- Grain: one row per (rule, subject, client), at most `evidence_lines` clients of each of the first `rule_findings` subjects of a rule.
-- Reads refusal_unstable, recurring_refusal, unmet_demand, refused_before_discovery, scanner, retry_after_ignored, probe_refused, known_clients, known_targets, source_ranks; settings evidence_lines, rule_findings.
WITH
all_rows AS (
  SELECT
    'refusal_unstable' AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure,
    source AS source, line AS line
  FROM refusal_unstable
  UNION ALL
  SELECT
    'recurring_refusal' AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure,
    source AS source, line AS line
  FROM recurring_refusal
  UNION ALL
  SELECT
    'unmet_demand' AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure,
    source AS source, line AS line
  FROM unmet_demand
  UNION ALL
  SELECT
    'refused_before_discovery' AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure,
    source AS source, line AS line
  FROM refused_before_discovery
  UNION ALL
  SELECT
    'scanner' AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure,
    source AS source, line AS line
  FROM scanner
  UNION ALL
  SELECT
    'retry_after_ignored' AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure,
    source AS source, line AS line
  FROM retry_after_ignored
  UNION ALL
  SELECT
    'probe_refused' AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure,
    source AS source, line AS line
  FROM probe_refused
),
client_rows AS (
  SELECT
    rule AS rule, subject AS subject, target AS target, client AS client, SUM(n_requests) AS n_requests, SUM(n_measure) AS n_measure,
    MIN(source) AS source, MIN(line) AS line
  FROM all_rows
  GROUP BY rule, subject, target, client
),
keyed AS (
  SELECT
    r.rule AS rule, r.subject AS subject, r.target AS target, c.key AS client, r.n_requests AS n_requests, r.n_measure AS n_measure,
    k.name AS source, r.line AS line
  FROM client_rows r
  JOIN known_clients c ON c.line_client = r.client
  JOIN source_ranks k ON k.source = r.source
),
placed AS (
  SELECT
    rule AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests, n_measure AS n_measure,
    source AS source, line AS line,
    SUM(n_requests) OVER (PARTITION BY rule, subject) AS n_total,
    SUM(n_measure) OVER (PARTITION BY rule, subject) AS n_measured,
    COUNT(*) OVER (PARTITION BY rule, subject) AS n_clients,
    ROW_NUMBER() OVER (
      PARTITION BY rule, subject
      ORDER BY n_requests DESC NULLS LAST, client NULLS LAST, source NULLS LAST, line NULLS LAST
    ) AS place
  FROM keyed
),
ranked AS (
  SELECT
    rule AS rule, subject AS subject, target AS target, client AS client, n_requests AS n_requests,
    source AS source, line AS line, n_total AS n_total, n_measured AS n_measured, n_clients AS n_clients, place AS place,
    DENSE_RANK() OVER (PARTITION BY rule ORDER BY n_total DESC NULLS LAST, subject NULLS LAST) AS subject_no
  FROM placed
)
SELECT
  r.rule AS rule, r.subject AS subject, t.http_method AS http_method, t.path AS path, t.rpc_method AS rpc_method,
  t.rpc_name AS rpc_name, r.client AS client, CAST(r.n_requests AS BIGINT) AS n_requests, CAST(r.n_measured AS BIGINT) AS n_measured,
  CAST(r.n_total AS BIGINT) AS n_total, CAST(r.n_clients AS BIGINT) AS n_clients, r.source AS source, r.line AS line
FROM ranked r
CROSS JOIN settings s
LEFT JOIN known_targets t ON t.target = r.target
WHERE r.place <= s.evidence_lines AND r.subject_no <= s.rule_findings
ORDER BY r.rule NULLS LAST, r.subject_no NULLS LAST, r.place NULLS LAST;
