-- What was asked for, with whole numbers in place of the texts that steps compare.
-- Grain: one row per target (`targets.id`); `authority_id` 0 is no authority, `route` stands for (method, path).
-- Reads targets.
SELECT
  id AS target, authority AS authority, http_method AS http_method, path AS path, rpc_method AS rpc_method, rpc_name AS rpc_name,
  protocol AS protocol, COALESCE(declared, 'unknown') AS declared, COALESCE(declared_by, 'none') AS declared_by,
  endpoint AS endpoint, COALESCE(probe_role, 'none') AS probe_role, COALESCE(probe_step, CAST(0 AS BIGINT)) AS probe_step,
  COALESCE(gives, 'none') AS gives, COALESCE(is_protocol_shaped, FALSE) AS is_protocol_shaped,
  COALESCE(is_scanner, FALSE) AS is_scanner,
  COALESCE(http_method, '') IN ('GET', 'HEAD') AND (COALESCE(path, '') = '/' OR COALESCE(probe_role, 'none') = 'health') AND endpoint IS NULL
    AS is_health,
  CASE WHEN authority IS NULL THEN CAST(0 AS BIGINT) ELSE MIN(id) OVER (PARTITION BY authority) END AS authority_id,
  MIN(id) OVER (PARTITION BY http_method, path) AS route
FROM targets;
