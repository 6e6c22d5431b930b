-- Clients with so many answered handshakes in one episode that these may be a loop: few, so that finding their requests costs little.
-- Grain: one row per such client.
-- Reads known_requests, answers, episodes; settings reinitialize_loop_min_handshakes.
WITH
handshakes AS (
  SELECT r.client AS client, r.bucket AS bucket, COUNT(*) AS n_handshakes
  FROM known_requests r
  JOIN answers a ON a.target = r.target AND a.signal = r.signal
  WHERE a.gives = 4
  GROUP BY r.client, r.bucket
),
shaken AS (
  SELECT h.client AS client, e.episode AS episode, SUM(h.n_handshakes) AS n_handshakes
  FROM handshakes h
  JOIN episodes e ON e.client = h.client AND e.bucket = h.bucket
  GROUP BY h.client, e.episode
)
SELECT h.client AS client
FROM shaken h
CROSS JOIN settings s
WHERE h.n_handshakes >= s.reinitialize_loop_min_handshakes
GROUP BY h.client;
