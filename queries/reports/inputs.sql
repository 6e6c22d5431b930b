-- How every line of every input was accounted for.
-- Grain: one row per source that was read; sources that tagged records only cite are left out.
-- Reads sources.
SELECT
  name AS name, format AS format, bytes AS bytes, lines AS lines, records AS records, rejects AS rejects, other AS other,
  parts AS parts, duplicates AS duplicates
FROM sources
WHERE lines IS NOT NULL
ORDER BY name NULLS LAST, id NULLS LAST;
