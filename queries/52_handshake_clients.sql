-- Clients with so many answered handshakes that these may be a loop: few, so that finding their requests costs little.
-- Grain: one row per such client.
-- Reads known_requests, answers; settings reinitialize_loop_min_handshakes.
WITH
handshakes AS (
  SELECT r.client AS client, COUNT(*) AS n_handshakes
  FROM known_requests r
  JOIN answers a ON a.target = r.target AND a.signal = r.signal
  WHERE a.gives = 4
  GROUP BY r.client
)
SELECT h.client AS client
FROM handshakes h
CROSS JOIN settings s
WHERE h.n_handshakes >= s.reinitialize_loop_min_handshakes;
