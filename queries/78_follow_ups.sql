-- Requests that do what a corrective answer asked for: progress, not repetition. Kept as a view.
-- Grain: one row per answered handshake or token after a refusal that waits for it, first repeat after that, and first repeat after any other corrective.
-- Reads watched_requests.
WITH
counted AS (
  SELECT
    client AS client, operation AS operation, seq AS seq, gives AS gives, is_judged AS is_judged,
    CASE
      WHEN family = 3 AND lifted_by = 4 THEN 4
      WHEN family IN (3, 4) AND lifted_by = 3 THEN 3
      WHEN family = 3 THEN 1
      ELSE 0
    END AS asks,
    SUM(CASE WHEN gives = 4 THEN 1 ELSE 0 END) OVER (
      PARTITION BY client, authority_id ORDER BY seq NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - CASE WHEN gives = 4 THEN 1 ELSE 0 END AS handshake_no,
    SUM(CASE WHEN gives = 3 THEN 1 ELSE 0 END) OVER (
      PARTITION BY client ORDER BY seq NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - CASE WHEN gives = 3 THEN 1 ELSE 0 END AS token_no,
    authority_id AS authority_id
  FROM watched_requests
),
compared AS (
  SELECT
    client AS client, seq AS seq, gives AS gives, is_judged AS is_judged, handshake_no AS handshake_no, token_no AS token_no,
    MAX(CASE WHEN asks = 4 THEN 1 ELSE 0 END) OVER (PARTITION BY client, authority_id, handshake_no) AS is_handshake_awaited,
    MAX(CASE WHEN asks = 3 THEN 1 ELSE 0 END) OVER (PARTITION BY client, token_no) AS is_token_awaited,
    LAG(asks, 1, 0) OVER own AS asked,
    LAG(asks, 2, 0) OVER own AS asked_before,
    LAG(handshake_no, 1, handshake_no) OVER own AS handshake_no_before,
    LAG(token_no, 1, token_no) OVER own AS token_no_before
  FROM counted
  WINDOW own AS (PARTITION BY client, operation ORDER BY seq NULLS LAST)
)
SELECT client AS client, seq AS seq, TRUE AS is_follow_up
FROM compared
WHERE (gives = 4 AND is_handshake_awaited = 1)
  OR (gives = 3 AND is_token_awaited = 1)
  OR (
    is_judged AND (
      (asked = 4 AND handshake_no > handshake_no_before) OR (asked = 3 AND token_no > token_no_before) OR (asked = 1 AND asked_before <> 1)
    )
  );
