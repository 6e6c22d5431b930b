-- Storms of path_guessing: refused on several paths, of which some are undeclared guesses that no protocol provides for.
-- Grain: one row per request claimed: every authoritative refusal of the client in the episode, scanner paths aside.
-- Reads watched_requests, known_targets, sanctioned_requests; settings path_guessing_min_paths, path_guessing_min_undeclared.
WITH
refused_routes AS (
  SELECT
    w.client AS client, w.episode AS episode, w.route AS route,
    MAX(
      CASE WHEN t.declared = 'undeclared' AND t.is_protocol_shaped AND COALESCE(s.is_sanctioned, FALSE) = FALSE THEN 1 ELSE 0 END
    ) AS n_guesses
  FROM watched_requests w
  JOIN known_targets t ON t.target = w.target
  LEFT JOIN sanctioned_requests s ON s.client = w.client AND s.seq = w.seq
  WHERE w.family = 1 AND NOT t.is_scanner
  GROUP BY w.client, w.episode, w.route
),
guessers AS (
  SELECT client AS client, episode AS episode, COUNT(*) AS n_routes, SUM(n_guesses) AS n_undeclared
  FROM refused_routes
  GROUP BY client, episode
),
storms AS (
  SELECT g.client AS client, g.episode AS episode
  FROM guessers g
  CROSS JOIN settings x
  WHERE g.n_routes >= x.path_guessing_min_paths AND g.n_undeclared >= x.path_guessing_min_undeclared
)
SELECT
  'path_guessing' AS storm_kind,
  w.client AS client, w.episode AS episode, w.source AS source, w.line AS line, w.part AS part
FROM watched_requests w
JOIN storms s ON s.client = w.client AND s.episode = w.episode
JOIN known_targets t ON t.target = w.target
WHERE w.family = 1 AND NOT t.is_scanner;
