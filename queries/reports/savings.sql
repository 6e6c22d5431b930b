-- What the gate would have spared, what it would have cost, and what it would not have helped.
-- Grain: one row.
-- Reads kind_savings, avoidable_firsts, retries, gate_replay, spared.
WITH
booked AS (
  SELECT
    COALESCE(SUM(
      CASE WHEN kind IN ('protocol_not_supported', 'interface_not_declared', 'policy_refused') THEN n_avoidable ELSE 0 END
    ), 0) AS n_lower,
    COALESCE(SUM(n_avoidable), 0) AS n_upper,
    COALESCE(SUM(n_harm), 0) AS n_harm
  FROM kind_savings
),
firsts AS (
  SELECT COUNT(*) AS n_firsts
  FROM avoidable_firsts
),
overruns AS (
  SELECT COALESCE(SUM(CASE WHEN is_overrun THEN 1 ELSE 0 END), 0) AS n_overrun
  FROM retries
),
undecided AS (
  SELECT COALESCE(SUM(CASE WHEN is_ambiguous_repeat THEN 1 ELSE 0 END), 0) AS n_ambiguous
  FROM gate_replay
),
costs AS (
  SELECT
    COALESCE(SUM(response_bytes), 0) AS response_bytes, COALESCE(SUM(server_us), 0) AS server_us,
    COALESCE(SUM(client_wait_us), 0) AS client_wait_us
  FROM spared
)
SELECT
  CAST(b.n_lower AS BIGINT) AS n_lower,
  CAST(b.n_upper AS BIGINT) AS n_upper,
  CAST(f.n_firsts AS BIGINT) AS n_avoidable_first,
  CAST(o.n_overrun AS BIGINT) AS n_overrun,
  CAST(b.n_harm AS BIGINT) AS n_harm,
  CAST(u.n_ambiguous AS BIGINT) AS n_ambiguous_repeats,
  CAST(c.response_bytes AS BIGINT) AS response_bytes,
  CAST((c.server_us - MOD(c.server_us, 1000)) / 1000 AS BIGINT) AS server_ms,
  CAST((c.client_wait_us - MOD(c.client_wait_us, 1000)) / 1000 AS BIGINT) AS client_wait_ms
FROM booked b
CROSS JOIN firsts f
CROSS JOIN overruns o
CROSS JOIN undecided u
CROSS JOIN costs c;
