-- What the inputs were able to show.
-- Grain: one row.
-- Reads answer_counts, signals, known_clients.
WITH
shown AS (
  SELECT
    MAX(s.status IS NOT NULL) AS has_status,
    MAX(s.rpc_code IS NOT NULL OR s.rpc_outcome <> 'unknown') AS has_rpc_code,
    MAX(s.tool_error <> 'unknown') AS has_tool_error,
    MAX(c.n_timed > 0) AS has_time
  FROM answer_counts c
  JOIN signals s ON s.id = c.signal
),
named AS (
  SELECT
    MAX(address IS NOT NULL) AS has_address, MAX(user_agent IS NOT NULL) AS has_user_agent, MAX(principal IS NOT NULL) AS has_principal
  FROM known_clients
)
SELECT
  COALESCE(s.has_status, FALSE) AS status,
  COALESCE(s.has_rpc_code, FALSE) AS rpc_code,
  COALESCE(s.has_tool_error, FALSE) AS tool_error,
  COALESCE(s.has_time, FALSE) AS time,
  COALESCE(n.has_address, FALSE) AS address,
  COALESCE(n.has_user_agent, FALSE) AS user_agent,
  COALESCE(n.has_principal, FALSE) AS principal
FROM shown s
CROSS JOIN named n;
