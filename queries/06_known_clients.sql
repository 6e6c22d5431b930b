-- The clients as lines name them, each with the client it counts for: all lines of one key are one client.
-- Grain: one row per line client (`clients.id`).
-- Reads clients; settings client_key.
SELECT
  c.id AS line_client,
  c.address AS address,
  c.user_agent AS user_agent,
  c.principal AS principal,
  c.key AS key,
  MIN(c.id) OVER (PARTITION BY c.key) AS client,
  MIN(c.id) OVER (PARTITION BY c.address, c.user_agent) AS peer,
  s.client_key IS NULL OR s.client_key = c.key AS is_chosen
FROM clients c
CROSS JOIN settings s;
