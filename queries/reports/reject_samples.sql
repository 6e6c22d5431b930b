-- The first lines that looked like records and were not understood, as they stand in the log.
-- Grain: one row per line, at most `evidence_lines` in all.
-- Reads rejects, sources; settings evidence_lines.
WITH
names AS (
  SELECT id AS id, MIN(name) AS name
  FROM sources
  GROUP BY id
),
numbered AS (
  SELECT
    n.name AS source, r.line AS line, r.reason AS reason, r.excerpt AS excerpt,
    ROW_NUMBER() OVER (ORDER BY n.name NULLS LAST, r.line NULLS LAST, r.reason NULLS LAST) AS place
  FROM rejects r
  LEFT JOIN names n ON n.id = r.source
)
SELECT n.source AS source, n.line AS line, n.reason AS reason, n.excerpt AS excerpt
FROM numbered n
CROSS JOIN settings s
WHERE n.place <= s.evidence_lines
ORDER BY n.place NULLS LAST;
