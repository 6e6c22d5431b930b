-- The targets that a page names; all others are summed. The most refused come first. Kept as a view.
-- Grain: one row per target, `target_no` from 1 to at most `page_targets`.
-- Reads answer_counts, answers; settings page_targets.
WITH
asked AS (
  SELECT
    c.target AS target,
    SUM(c.n_requests) AS n_requests,
    SUM(CASE WHEN COALESCE(a.family, 5) BETWEEN 1 AND 4 THEN c.n_requests ELSE 0 END) AS n_refused
  FROM answer_counts c
  LEFT JOIN answers a ON a.target = c.target AND a.signal = c.signal
  GROUP BY c.target
),
ranked AS (
  SELECT
    target AS target,
    ROW_NUMBER() OVER (ORDER BY n_refused DESC NULLS LAST, n_requests DESC NULLS LAST, target NULLS LAST) AS target_no
  FROM asked
)
SELECT r.target AS target, CAST(r.target_no AS BIGINT) AS target_no
FROM ranked r
CROSS JOIN settings s
WHERE r.target_no <= s.page_targets;
