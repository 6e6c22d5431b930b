-- Every threshold and limit with its unit in its name; `--name-with-dashes` on the command line sets it, without a unit of time: `--session-gap 30m`.
-- Grain: one row.
-- Reads nothing.
SELECT
  CAST(1800 AS BIGINT) AS session_gap_s, -- a client silent for longer than this begins a new session and a new episode
  CAST(86400 AS BIGINT) AS refusal_memory_s, -- how long a refusal is remembered, from the first refusal of its run
  CAST(3 AS BIGINT) AS retry_budget, -- retries of one operation that the gate allows after throttled or transient answers
  CAST(1000 AS BIGINT) AS retry_after_slack_ms, -- a retry this much before the end of Retry-After still counts as in time
  CAST(3 AS BIGINT) AS path_guessing_min_paths, -- distinct refused (method, path) that make path_guessing
  CAST(2 AS BIGINT) AS path_guessing_min_undeclared, -- of which so many are undeclared, protocol-shaped and unsanctioned
  CAST(4 AS BIGINT) AS stale_session_min_refusals, -- refusals of a dead session in a row that make stale_session
  CAST(5 AS BIGINT) AS reinitialize_loop_min_handshakes, -- handshakes that came to nothing that make reinitialize_loop
  CAST(3 AS BIGINT) AS auth_loop_min_repeats, -- avoidable auth repeats that make auth_loop
  CAST(3 AS BIGINT) AS auth_loop_min_cycles, -- or so many tokens followed by the same refusal
  CAST(86400 AS BIGINT) AS auth_loop_window_s, -- within so long from the client's first auth refusal
  CAST(3 AS BIGINT) AS throttle_hammering_min_retries, -- retries that did not wait that make throttle_hammering
  CAST(3 AS BIGINT) AS transient_hammering_min_retries, -- retries beyond the budget that make transient_hammering
  CAST(5 AS BIGINT) AS redirect_loop_min_requests, -- times one fruitless redirect is taken that make redirect_loop
  CAST(3 AS BIGINT) AS refused_repeat_min_repeats, -- avoidable repeats of authoritative refusals that make refused_repeat
  CAST(3 AS BIGINT) AS semantic_repeat_min_repeats, -- avoidable repeats of semantic or corrective refusals that make semantic_repeat
  CAST(20 AS BIGINT) AS reconnect_loop_min_requests, -- streams opened that make reconnect_loop
  CAST(5000 AS BIGINT) AS reconnect_loop_gap_ms, -- where at least half follow the one before within this
  CAST(10 AS BIGINT) AS monitor_min_requests, -- requests of each operation that make a steady client of health paths a monitor
  CAST(10 AS BIGINT) AS monitor_max_variation_percent, -- standard deviation of a monitor's gaps, in percent of their mean
  CAST(2 AS BIGINT) AS refusal_unstable_min_changes, -- changes between refused and answered that make refusal_unstable
  CAST(3 AS BIGINT) AS recurring_refusal_min_sessions, -- sessions with the same refusal that make recurring_refusal
  CAST(3 AS BIGINT) AS unmet_demand_min_clients, -- clients refused the same undeclared target that make unmet_demand
  CAST(3 AS BIGINT) AS scanner_min_paths, -- distinct foreign-stack paths asked for that make a scanner
  CAST(6 AS BIGINT) AS slow_loop_min_requests, -- refusals of one operation in one session that make slow_loop
  CAST(5 AS BIGINT) AS slow_loop_min_wait_s, -- where most of the later waits are this long
  CAST(3 AS BIGINT) AS slow_loop_min_growth, -- and so many times the mean of the first two
  CAST(5 AS BIGINT) AS no_backoff_min_retries, -- retries in a row whose waits are judged
  CAST(5 AS BIGINT) AS no_backoff_max_variation_percent, -- standard deviation of waits that are all alike, in percent of their mean
  CAST(100 AS BIGINT) AS no_backoff_short_ms, -- most waits shorter than this are no waits
  CAST(5 AS BIGINT) AS lockstep_herd_min_clients, -- clients that come back together that make lockstep_herd
  CAST(100 AS BIGINT) AS lockstep_herd_bucket_ms, -- how close together
  CAST(60 AS BIGINT) AS lockstep_herd_window_s, -- the longest wait after the common failure
  CAST(5 AS BIGINT) AS lockstep_herd_min_excess, -- times as many as if they had spread over the wait
  CAST(5 AS BIGINT) AS gateway_retries_multiply_min_tries, -- tries that a client's and its gateway's retries come to
  CAST(3 AS BIGINT) AS stale_session_header_min_requests, -- requests of a client that bear a header which their revision ignores
  CAST(5 AS BIGINT) AS cache_ignored_min_reads, -- reads of one document that was still fresh that make cache_ignored
  CAST(300 AS BIGINT) AS discovery_lifetime_s, -- how long a discovery document is fresh: the log does not show what it says itself
  CAST(1000 AS BIGINT) AS list_page_ms, -- a list read again within this is its next page
  CAST(3 AS BIGINT) AS uncached_probing_min_requests, -- refused probes beyond the sanctioned ones that make uncached_probing
  CAST(3600 AS BIGINT) AS forged_line_displacement_s, -- how far the time of a forged line is from its neighbours at least
  CAST(5 AS BIGINT) AS forged_line_min_lines, -- lines that must stand in order for one to be out of it
  CAST(10 AS BIGINT) AS forged_line_max_disorder_percent, -- of them may go back in time by less than that
  CAST(20 AS BIGINT) AS forged_line_most, -- displaced lines in a row at most: more are another clock
  CAST(20 AS BIGINT) AS forged_line_min_apart, -- lines for each further such row of lines: where they are common, the log is merged of several
  CAST(5 AS BIGINT) AS deploy_burst_min_clients, -- clients refused once that make deploy_burst
  CAST(10 AS BIGINT) AS deploy_burst_gap_s, -- each within this of the one before
  CAST(50 AS BIGINT) AS deploy_burst_min_share_percent, -- of the clients active around then
  CAST(3 AS BIGINT) AS hindsight_min_tries, -- undecided refusals without a good answer after them that make them persistent
  CAST(20 AS BIGINT) AS evidence_lines, -- lines cited for one storm or finding
  CAST(20 AS BIGINT) AS path_storms, -- storms whose path is drawn
  CAST(500 AS BIGINT) AS path_requests, -- requests drawn for one of them
  CAST(24 AS BIGINT) AS page_clients, -- clients that a page names; the others are summed
  CAST(36 AS BIGINT) AS page_targets, -- targets that a page names; the others are summed
  CAST(200 AS BIGINT) AS page_sessions, -- sessions that a page lists
  CAST(20 AS BIGINT) AS rule_findings, -- findings of one rule that are told apart
  CAST(9000000000000000 AS BIGINT) AS untimed_us, -- where requests without a stamp stand in time: after all others
  CASE WHEN 1 = 0 THEN CAST(0 AS BIGINT) END AS since_us, -- only requests from this moment on (microseconds since the epoch)
  CASE WHEN 1 = 0 THEN CAST(0 AS BIGINT) END AS until_us, -- only requests before this moment (microseconds since the epoch)
  CASE WHEN 1 = 0 THEN CAST('' AS VARCHAR) END AS client_key; -- only the client with this key
