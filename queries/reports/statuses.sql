-- Requests by HTTP status.
-- Grain: one row per status; NULL where none is known.
-- Reads answer_counts, signals.
SELECT s.status AS status, CAST(SUM(c.n_requests) AS BIGINT) AS n_requests
FROM answer_counts c
JOIN signals s ON s.id = c.signal
GROUP BY s.status
ORDER BY status NULLS LAST;
