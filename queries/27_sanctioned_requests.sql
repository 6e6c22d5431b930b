-- Probes that the protocols provide for: the first run through each ordered family in each session.
-- Grain: one row per watched request of such a run. A step not after the one before, or after a good answer, begins another run.
-- Reads watched_requests, watched_sessions, known_targets.
WITH
probes AS (
  SELECT
    w.client AS client,
    w.seq AS seq,
    s.session_token AS session_token,
    CASE WHEN s.session_token = 0 THEN w.episode ELSE CAST(0 AS BIGINT) END AS episode,
    t.probe_role AS probe_role,
    COALESCE(t.endpoint, t.authority_id) AS probed,
    t.probe_step AS probe_step,
    CASE WHEN w.is_good THEN 1 ELSE 0 END AS n_good
  FROM watched_requests w
  JOIN watched_sessions s ON s.client = w.client AND s.seq = w.seq
  JOIN known_targets t ON t.target = w.target
  WHERE w.is_probe
),
preceded AS (
  SELECT
    client AS client, seq AS seq, session_token AS session_token, episode AS episode, probe_role AS probe_role, probed AS probed,
    probe_step AS probe_step,
    LAG(probe_step, 1, CAST(-1 AS BIGINT)) OVER family AS previous_step,
    LAG(n_good, 1, 0) OVER family AS n_good_before
  FROM probes
  WINDOW family AS (PARTITION BY client, session_token, episode, probe_role, probed ORDER BY seq NULLS LAST)
),
numbered AS (
  SELECT
    client AS client, seq AS seq,
    SUM(CASE WHEN probe_step <= previous_step OR n_good_before > 0 THEN 1 ELSE 0 END) OVER (
      PARTITION BY client, session_token, episode, probe_role, probed
      ORDER BY seq NULLS LAST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS run_no
  FROM preceded
)
SELECT client AS client, seq AS seq, TRUE AS is_sanctioned
FROM numbered
WHERE run_no = 0;
