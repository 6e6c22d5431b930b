-- When each client was active: two requests of one bucket are never a session gap apart, so an episode is a run of buckets.
-- Grain: one row per (client, bucket) with requests other than noise.
-- Reads known_requests, answers.
WITH
noise AS (
  SELECT target AS target, signal AS signal, TRUE AS is_noise
  FROM answers
  WHERE is_noise
)
SELECT
  r.client AS client,
  r.bucket AS bucket,
  CAST(COUNT(*) AS BIGINT) AS n_requests,
  MIN(r.at_us) AS first_us,
  MAX(r.at_us) AS last_us
FROM known_requests r
LEFT JOIN noise n ON n.target = r.target AND n.signal = r.signal
WHERE COALESCE(n.is_noise, FALSE) = FALSE
GROUP BY r.client, r.bucket;
