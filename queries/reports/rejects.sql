-- Lines that looked like records and were not understood, by reason.
-- Grain: one row per reason.
-- Reads rejects.
SELECT reason AS reason, CAST(COUNT(*) AS BIGINT) AS n_lines
FROM rejects
GROUP BY reason
ORDER BY n_lines DESC NULLS LAST, reason NULLS LAST;
