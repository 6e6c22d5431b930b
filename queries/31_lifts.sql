-- Good answers that end memories of other operations: a handshake counts as an RPC read too.
-- Grain: one row per (watched request, class of memory it lifts).
-- Reads watched_requests.
SELECT client AS client, gives AS lifted_by, seq AS seq, authority_id AS authority_id
FROM watched_requests
WHERE gives > 0
UNION ALL
SELECT client AS client, CAST(1 AS BIGINT) AS lifted_by, seq AS seq, authority_id AS authority_id
FROM watched_requests
WHERE gives = 4;
