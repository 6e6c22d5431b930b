-- Places at which credentials were seen in the log, never their values.
-- Grain: one row per (place, line), at most `evidence_lines` of each place.
-- Reads credentials, sources; settings evidence_lines.
WITH
names AS (
  SELECT id AS id, MIN(name) AS name
  FROM sources
  GROUP BY id
),
placed AS (
  SELECT
    c.place AS place, n.name AS source, c.line AS line,
    COUNT(*) OVER (PARTITION BY c.place) AS n_lines,
    ROW_NUMBER() OVER (PARTITION BY c.place ORDER BY n.name NULLS LAST, c.line NULLS LAST) AS line_no
  FROM credentials c
  LEFT JOIN names n ON n.id = c.source
)
SELECT p.place AS place, p.source AS source, p.line AS line, CAST(p.n_lines AS BIGINT) AS n_lines
FROM placed p
CROSS JOIN settings s
WHERE p.line_no <= s.evidence_lines
ORDER BY p.place NULLS LAST, p.line_no NULLS LAST;
