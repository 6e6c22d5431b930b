-- Savings by kind.
-- Grain: one row per kind.
-- Reads kind_savings.
SELECT kind AS kind, n_requests AS n_requests, n_under_gate AS n_under_gate, n_avoidable AS n_avoidable, n_harm AS n_harm
FROM kind_savings
ORDER BY kind NULLS LAST;
