-- How many of the targets asked for are part of the contract.
-- Grain: one row per value of `declared`.
-- Reads answer_counts, known_targets.
WITH
asked AS (
  SELECT target AS target
  FROM answer_counts
  GROUP BY target
)
SELECT t.declared AS declared, CAST(COUNT(*) AS BIGINT) AS n_targets
FROM asked a
JOIN known_targets t ON t.target = a.target
GROUP BY t.declared
ORDER BY t.declared NULLS LAST;
