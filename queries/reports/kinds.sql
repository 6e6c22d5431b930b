-- Requests by kind and reason.
-- Grain: one row per (kind, reason).
-- Reads answer_counts, answers.
SELECT
  COALESCE(a.kind, 'ambiguous') AS kind,
  COALESCE(a.reason, 'unknown') AS reason,
  CAST(SUM(c.n_requests) AS BIGINT) AS n_requests
FROM answer_counts c
LEFT JOIN answers a ON a.target = c.target AND a.signal = c.signal
GROUP BY COALESCE(a.kind, 'ambiguous'), COALESCE(a.reason, 'unknown')
ORDER BY n_requests DESC NULLS LAST, kind NULLS LAST, reason NULLS LAST;
