-- The lines that prove the storms: the first of each.
-- Grain: one row per line, at most `evidence_lines` per storm.
-- Reads storm_requests, source_ranks; settings evidence_lines.
WITH
storm_lines AS (
  SELECT
    storm_kind AS storm_kind, client AS client, episode AS episode, source AS source, line AS line, source_rank AS source_rank,
    MIN(at_us) AS at_us
  FROM storm_requests
  GROUP BY storm_kind, client, episode, source, line, source_rank
),
placed AS (
  SELECT
    storm_kind AS storm_kind, client AS client, episode AS episode, source AS source, line AS line,
    ROW_NUMBER() OVER (
      PARTITION BY storm_kind, client, episode
      ORDER BY at_us NULLS LAST, source_rank NULLS LAST, line NULLS LAST
    ) AS place
  FROM storm_lines
)
SELECT
  p.storm_kind AS storm_kind, p.client AS client_id, p.episode AS episode, CAST(p.place AS BIGINT) AS place, k.name AS source,
  p.line AS line
FROM placed p
JOIN source_ranks k ON k.source = p.source
CROSS JOIN settings s
WHERE p.place <= s.evidence_lines
ORDER BY p.storm_kind NULLS LAST, p.client NULLS LAST, p.episode NULLS LAST, p.place NULLS LAST;
