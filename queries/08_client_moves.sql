-- The line clients that do not simply count for themselves: few, so that finding a request's client costs little.
-- Grain: one row per line client that counts for another, or for none because it is not the chosen one.
-- Reads known_clients.
SELECT line_client AS line_client, client AS client, NOT is_chosen AS is_left_out, TRUE AS is_moved
FROM known_clients
WHERE client <> line_client OR NOT is_chosen;
