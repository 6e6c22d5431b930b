-- Which sanctioned sequence a request is a step of, how many steps that allows in one session, and whether this was one of them. Kept as a view.
-- Grain: one row per watched request that is such a step; `probe_maximum` counts places, each free once and in order.
-- Reads watched_requests, known_targets, sanctioned_requests.
SELECT
  w.client AS client,
  w.seq AS seq,
  CASE t.probe_role
    WHEN 'initialize' THEN 'P1' WHEN 'discover' THEN 'P2' WHEN 'stream' THEN 'P4' WHEN 'close' THEN 'P4'
    WHEN 'resource_metadata' THEN 'P6' WHEN 'server_metadata' THEN 'P7' WHEN 'oauth_default' THEN 'P8' WHEN 'register' THEN 'P9'
    WHEN 'card' THEN 'P10' WHEN 'server_card' THEN 'P11' ELSE 'P12'
  END AS probe_family,
  CAST(
    CASE t.probe_role
      WHEN 'resource_metadata' THEN 3 WHEN 'server_metadata' THEN 5 WHEN 'oauth_default' THEN 2 WHEN 'card' THEN 5 WHEN 'server_card' THEN 8
      WHEN 'openapi' THEN 9 ELSE 1
    END AS BIGINT
  ) AS probe_maximum,
  COALESCE(s.is_sanctioned, FALSE) AS is_sanctioned
FROM watched_requests w
JOIN known_targets t ON t.target = w.target
LEFT JOIN sanctioned_requests s ON s.client = w.client AND s.seq = w.seq
WHERE w.is_probe;
