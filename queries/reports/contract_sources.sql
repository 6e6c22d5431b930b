-- What the targets were judged against.
-- Grain: one row per value of `declared_by`: document, inferred or none.
-- Reads known_targets.
SELECT declared_by AS declared_by, CAST(COUNT(*) AS BIGINT) AS n_targets
FROM known_targets
GROUP BY declared_by
ORDER BY declared_by NULLS LAST;
