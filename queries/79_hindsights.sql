-- What became of refusals that nobody could decide: transient if the operation was answered well later, persistent if it never was. Kept as a view.
-- Grain: one row per watched request of kind ambiguous; undecided where there were too few tries to tell.
-- Reads watched_requests; settings hindsight_min_tries.
WITH
told AS (
  SELECT
    client AS client, operation AS operation, seq AS seq, kind AS kind,
    MAX(CASE WHEN is_good THEN seq ELSE 0 END) OVER (PARTITION BY client, operation) AS last_good_seq
  FROM watched_requests
  WHERE is_judged
),
counted AS (
  SELECT
    client AS client, seq AS seq, kind AS kind, last_good_seq AS last_good_seq,
    SUM(CASE WHEN kind = 'ambiguous' AND seq > last_good_seq THEN 1 ELSE 0 END) OVER (PARTITION BY client, operation) AS n_tries
  FROM told
)
SELECT
  c.client AS client,
  c.seq AS seq,
  CASE
    WHEN c.seq < c.last_good_seq THEN 'transient'
    WHEN c.n_tries >= s.hindsight_min_tries THEN 'persistent'
    ELSE 'undecided'
  END AS hindsight
FROM counted c
CROSS JOIN settings s
WHERE c.kind = 'ambiguous';
