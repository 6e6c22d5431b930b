-- What the gate would have done: the requests it would not have sent, each with the memory that holds it and what it cost or spared.
-- Grain: one row per held request; `outcome` is avoidable, harm (a good answer lost) or under_gate (held by a memory that does not count).
-- Reads holds, watched_requests.
WITH
ranked AS (
  SELECT
    client AS client, seq AS seq, operation AS operation, memory AS memory, run_no AS run_no, opened_seq AS opened_seq,
    ROW_NUMBER() OVER (PARTITION BY client, seq ORDER BY memory NULLS LAST) AS strength_no
  FROM holds
)
SELECT
  r.client AS client,
  r.seq AS seq,
  r.operation AS operation,
  w.source AS source,
  w.line AS line,
  w.part AS part,
  r.memory AS memory,
  o.family AS family,
  o.lifted_by AS lifted_by,
  r.run_no AS run_no,
  r.opened_seq AS opened_seq,
  o.kind AS kind,
  CASE
    WHEN w.is_good AND o.family <= 2 THEN 'harm'
    WHEN w.is_good OR o.family = 5 THEN 'under_gate'
    ELSE 'avoidable'
  END AS outcome,
  o.family = 5 AND w.family = 5 AS is_ambiguous_repeat
FROM ranked r
JOIN watched_requests w ON w.client = r.client AND w.seq = r.seq
JOIN watched_requests o ON o.client = r.client AND o.seq = r.opened_seq
WHERE r.strength_no = 1;
