-- When those were active whose lines name a principal only now and then: one address and user agent, with and without one.
-- Grain: one row per (line client, bucket); two requests of one bucket are never a session gap apart.
-- Reads dated_requests, known_clients.
WITH
mixed_peers AS (
  SELECT peer AS peer
  FROM known_clients
  WHERE address IS NOT NULL
  GROUP BY peer
  HAVING COUNT(principal) > 0 AND COUNT(principal) < COUNT(*)
)
SELECT
  k.peer AS peer,
  r.line_client AS line_client,
  r.bucket AS bucket,
  MIN(r.at_us) AS first_us,
  MAX(r.at_us) AS last_us,
  MIN(CASE WHEN k.principal IS NOT NULL THEN k.client END) AS named_client
FROM dated_requests r
JOIN known_clients k ON k.line_client = r.line_client
JOIN mixed_peers m ON m.peer = k.peer
GROUP BY k.peer, r.line_client, r.bucket;
