-- Clients that met one redirect so often that it may be a loop: few, so that finding what they did next costs little.
-- Grain: one row per such client.
-- Reads known_requests, signals; settings redirect_loop_min_requests.
WITH
redirected AS (
  SELECT r.client AS client, r.operation AS operation, COUNT(*) AS n_redirects
  FROM known_requests r
  JOIN signals g ON g.id = r.signal
  WHERE g.status BETWEEN 300 AND 399 AND g.status <> 304
  GROUP BY r.client, r.operation
)
SELECT d.client AS client
FROM redirected d
CROSS JOIN settings s
WHERE d.n_redirects >= s.redirect_loop_min_requests
GROUP BY d.client;
