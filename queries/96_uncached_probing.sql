-- Discovery beyond what is sanctioned: places that a protocol lets a client try once in a session, refused and tried again.
-- Grain: one row per such refusal; `n_measure` is 1 for the first of each target.
-- Reads watched_requests, known_targets, sanctioned_requests, monitors; settings uncached_probing_min_requests.
WITH
probed AS (
  SELECT
    w.client AS client, w.ts AS ts, w.source AS source, w.line AS line,
    ROW_NUMBER() OVER (PARTITION BY w.client, w.target ORDER BY w.seq NULLS LAST) AS probe_no,
    COUNT(*) OVER (PARTITION BY w.client) AS n_probes
  FROM watched_requests w
  JOIN known_targets t ON t.target = w.target
  LEFT JOIN sanctioned_requests p ON p.client = w.client AND p.seq = w.seq
  LEFT JOIN monitors m ON m.client = w.client
  WHERE w.family = 1 AND t.probe_role IN ('discover', 'resource_metadata', 'server_metadata', 'card', 'server_card', 'openapi')
    AND COALESCE(p.is_sanctioned, FALSE) = FALSE AND COALESCE(m.is_monitor, FALSE) = FALSE
)
SELECT
  'uncached_probing' AS rule, p.client AS subject, CAST(0 AS BIGINT) AS target, p.client AS client, CAST(1 AS BIGINT) AS n_requests,
  CAST(CASE WHEN p.probe_no = 1 THEN 1 ELSE 0 END AS BIGINT) AS n_measure, p.ts AS ts, p.source AS source, p.line AS line
FROM probed p
CROSS JOIN settings s
WHERE p.n_probes >= s.uncached_probing_min_requests;
