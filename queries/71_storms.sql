-- Storms: requests of a client that did not take no, or not now, for an answer.
-- Grain: one row per (client, kind, episode); `session_token` is its first request's session, 0 where no id was logged.
-- Reads storm_requests, answers, session_starts.
WITH
placed AS (
  SELECT
    r.storm_kind AS storm_kind, r.client AS client, r.episode AS episode, r.ts AS ts, r.at_us AS at_us, r.ended_us AS ended_us,
    r.outcome AS outcome, COALESCE(r.session_token, 0) AS session_token, r.source AS source, r.line AS line,
    CASE WHEN a.is_watched THEN 1 ELSE 0 END AS n_refused,
    ROW_NUMBER() OVER (
      PARTITION BY r.storm_kind, r.client, r.episode
      ORDER BY r.at_us NULLS LAST, r.source_rank NULLS LAST, r.line NULLS LAST, r.part NULLS LAST
    ) AS place
  FROM storm_requests r
  JOIN answers a ON a.target = r.target AND a.signal = r.signal
),
counted AS (
  SELECT
    storm_kind AS storm_kind, client AS client, episode AS episode,
    SUM(CASE WHEN place = 1 THEN session_token ELSE 0 END) AS own_token,
    SUM(CASE WHEN place = 1 THEN source ELSE 0 END) AS source,
    SUM(CASE WHEN place = 1 THEN line ELSE 0 END) AS line,
    MIN(at_us) AS first_us,
    MIN(ts) AS start_ts,
    MAX(CASE WHEN ts IS NOT NULL THEN ended_us END) AS end_ts,
    COUNT(*) AS n_requests,
    SUM(n_refused) AS n_refused,
    SUM(CASE WHEN outcome = 'avoidable' THEN 1 ELSE 0 END) AS n_avoidable,
    SUM(CASE WHEN outcome = 'under_gate' THEN 1 ELSE 0 END) AS n_under_gate
  FROM placed
  GROUP BY storm_kind, client, episode
),
joined_starts AS (
  SELECT
    c.storm_kind AS storm_kind, c.client AS client, c.episode AS episode, c.own_token AS own_token, c.source AS source,
    c.line AS line, c.start_ts AS start_ts, c.end_ts AS end_ts, c.n_requests AS n_requests, c.n_refused AS n_refused,
    c.n_avoidable AS n_avoidable, c.n_under_gate AS n_under_gate,
    MIN(CASE WHEN COALESCE(s.first_us, 0) >= c.first_us THEN s.start_no ELSE CAST(9000000000000000 AS BIGINT) END) AS next_no,
    MAX(COALESCE(s.start_no, 0)) AS last_no
  FROM counted c
  LEFT JOIN session_starts s ON s.client = c.client AND s.episode = c.episode
  GROUP BY
    c.storm_kind, c.client, c.episode, c.own_token, c.source, c.line, c.start_ts, c.end_ts, c.n_requests, c.n_refused,
    c.n_avoidable, c.n_under_gate
),
chosen_starts AS (
  SELECT
    storm_kind AS storm_kind, client AS client, episode AS episode, own_token AS own_token, source AS source, line AS line,
    start_ts AS start_ts, end_ts AS end_ts, n_requests AS n_requests, n_refused AS n_refused, n_avoidable AS n_avoidable,
    n_under_gate AS n_under_gate,
    CASE WHEN next_no <= last_no THEN next_no ELSE last_no END AS start_no
  FROM joined_starts
)
SELECT
  c.storm_kind AS storm_kind,
  c.client AS client,
  c.episode AS episode,
  CASE WHEN c.own_token <> 0 THEN CAST(c.own_token AS BIGINT) ELSE COALESCE(s.session_token, CAST(0 AS BIGINT)) END AS session_token,
  CAST(c.source AS BIGINT) AS source,
  CAST(c.line AS BIGINT) AS line,
  c.start_ts AS start_ts,
  c.end_ts AS end_ts,
  CAST(c.n_requests AS BIGINT) AS n_requests,
  CAST(c.n_refused AS BIGINT) AS n_refused,
  CAST(c.n_avoidable AS BIGINT) AS n_avoidable,
  CAST(c.n_under_gate AS BIGINT) AS n_under_gate
FROM chosen_starts c
LEFT JOIN session_starts s ON s.client = c.client AND s.episode = c.episode AND s.start_no = c.start_no;
