-- Requests outside the contract that the gate lets through although the client had read that authority's contract before.
-- Grain: one row per such request; sanctioned probes are not meant.
-- Reads watched_requests, gate_replay, lifts, sanctioned_requests.
WITH
reads AS (
  SELECT client AS client, authority_id AS authority_id, MIN(seq) AS first_seq
  FROM lifts
  WHERE lifted_by IN (1, 2)
  GROUP BY client, authority_id
),
undeclared AS (
  SELECT w.client AS client, w.seq AS seq, w.authority_id AS authority_id
  FROM watched_requests w
  LEFT JOIN gate_replay g ON g.client = w.client AND g.seq = w.seq
  LEFT JOIN sanctioned_requests s ON s.client = w.client AND s.seq = w.seq
  WHERE w.is_judged AND w.kind = 'interface_not_declared' AND g.outcome IS NULL AND COALESCE(s.is_sanctioned, FALSE) = FALSE
)
SELECT u.client AS client, u.seq AS seq
FROM undeclared u
JOIN reads r ON r.client = u.client
WHERE r.first_seq < u.seq AND (r.authority_id = u.authority_id OR r.authority_id = 0 OR u.authority_id = 0)
GROUP BY u.client, u.seq;
