-- Storms: requests of a client that did not take no, or not now, for an answer.
-- Grain: one row per (client, kind, episode).
-- Reads storm_requests, answers.
WITH
placed AS (
  SELECT
    r.storm_kind AS storm_kind, r.client AS client, r.episode AS episode, r.ts AS ts, r.ended_us AS ended_us, r.outcome AS outcome,
    r.session_token AS session_token, r.source AS source, r.line AS line,
    CASE WHEN a.is_watched THEN 1 ELSE 0 END AS n_refused,
    ROW_NUMBER() OVER (
      PARTITION BY r.storm_kind, r.client, r.episode
      ORDER BY r.at_us NULLS LAST, r.source_rank NULLS LAST, r.line NULLS LAST, r.part NULLS LAST
    ) AS place
  FROM storm_requests r
  JOIN answers a ON a.target = r.target AND a.signal = r.signal
)
SELECT
  storm_kind AS storm_kind,
  client AS client,
  episode AS episode,
  MAX(CASE WHEN place = 1 THEN session_token END) AS session_token,
  MAX(CASE WHEN place = 1 THEN source END) AS source,
  MAX(CASE WHEN place = 1 THEN line END) AS line,
  MIN(ts) AS start_ts,
  MAX(CASE WHEN ts IS NOT NULL THEN ended_us END) AS end_ts,
  CAST(COUNT(*) AS BIGINT) AS n_requests,
  CAST(SUM(n_refused) AS BIGINT) AS n_refused,
  CAST(SUM(CASE WHEN outcome = 'avoidable' THEN 1 ELSE 0 END) AS BIGINT) AS n_avoidable,
  CAST(SUM(CASE WHEN outcome = 'under_gate' THEN 1 ELSE 0 END) AS BIGINT) AS n_under_gate
FROM placed
GROUP BY storm_kind, client, episode;
