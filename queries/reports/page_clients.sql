-- The clients that a page names.
-- Grain: one row per client.
-- Reads shown_clients, known_clients.
SELECT s.client_no AS client_no, k.key AS client
FROM shown_clients s
JOIN known_clients k ON k.line_client = s.client
ORDER BY client_no NULLS LAST;
