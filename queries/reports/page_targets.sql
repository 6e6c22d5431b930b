-- The targets that a page names.
-- Grain: one row per target.
-- Reads shown_targets, known_targets.
SELECT
  s.target_no AS target_no, t.authority AS authority, t.http_method AS http_method, t.path AS path, t.rpc_method AS rpc_method,
  t.rpc_name AS rpc_name, t.declared AS declared
FROM shown_targets s
JOIN known_targets t ON t.target = s.target
ORDER BY target_no NULLS LAST;
