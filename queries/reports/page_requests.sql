-- All requests, counted for a page that filters: over time, by client, target, kind, what the gate would have done, and storm.
-- Grain: one row per combination that occurs; `client_no` and `target_no` 0 are all others, `ts` is the start of a step, NULL without a stamp.
-- Reads known_requests, marked_requests, answers, shown_clients, shown_targets, time_steps.
WITH
entries AS (
  SELECT
    r.ts AS ts, r.client AS client, r.target AS target, r.signal AS signal, '' AS held_kind, 'sent' AS fate, '' AS storm_kind,
    CAST(0 AS BIGINT) AS storm_client, CAST(0 AS BIGINT) AS episode, CAST(1 AS BIGINT) AS n_requests
  FROM known_requests r
  UNION ALL
  SELECT
    ts AS ts, client AS client, target AS target, signal AS signal, '' AS held_kind, 'sent' AS fate, '' AS storm_kind,
    CAST(0 AS BIGINT) AS storm_client, CAST(0 AS BIGINT) AS episode, CAST(-1 AS BIGINT) AS n_requests
  FROM marked_requests
  UNION ALL
  SELECT
    ts AS ts, client AS client, target AS target, signal AS signal, held_kind AS held_kind, fate AS fate, storm_kind AS storm_kind,
    CASE WHEN storm_kind <> '' THEN client ELSE 0 END AS storm_client,
    CASE WHEN storm_kind <> '' THEN episode ELSE 0 END AS episode,
    CAST(1 AS BIGINT) AS n_requests
  FROM marked_requests
),
placed AS (
  SELECT
    e.ts - MOD(e.ts, w.bucket_us) AS bucket_ts, COALESCE(c.client_no, 0) AS client_no, COALESCE(t.target_no, 0) AS target_no,
    COALESCE(a.kind, 'ambiguous') AS kind, e.held_kind AS held_kind, e.fate AS fate, e.storm_kind AS storm_kind,
    e.storm_client AS storm_client, e.episode AS episode, e.n_requests AS n_requests
  FROM entries e
  CROSS JOIN time_steps w
  LEFT JOIN answers a ON a.target = e.target AND a.signal = e.signal
  LEFT JOIN shown_clients c ON c.client = e.client
  LEFT JOIN shown_targets t ON t.target = e.target
)
SELECT
  bucket_ts AS ts, client_no AS client_no, target_no AS target_no, kind AS kind, held_kind AS held_kind, fate AS fate,
  storm_kind AS storm_kind, storm_client AS client_id, episode AS episode, CAST(SUM(n_requests) AS BIGINT) AS n_requests
FROM placed
GROUP BY bucket_ts, client_no, target_no, kind, held_kind, fate, storm_kind, storm_client, episode
HAVING SUM(n_requests) <> 0
ORDER BY
  ts NULLS LAST, client_no NULLS LAST, target_no NULLS LAST, kind NULLS LAST, held_kind NULLS LAST, fate NULLS LAST,
  storm_kind NULLS LAST, client_id NULLS LAST, episode NULLS LAST;
