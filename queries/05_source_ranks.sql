-- The place of each source among all sources, which breaks ties between requests of one instant.
-- Grain: one row per source that holds requests.
-- Reads requests, sources.
WITH
first_stamps AS (
  SELECT source AS source, MIN(ts) AS first_ts
  FROM requests
  GROUP BY source
),
names AS (
  SELECT id AS id, MIN(name) AS name
  FROM sources
  GROUP BY id
)
SELECT
  f.source AS source,
  n.name AS name,
  f.first_ts AS first_ts,
  CAST(ROW_NUMBER() OVER (ORDER BY f.first_ts NULLS LAST, n.name NULLS LAST, f.source NULLS LAST) AS BIGINT) AS source_rank
FROM first_stamps f
LEFT JOIN names n ON n.id = f.source;
