-- How long a step of time is on a page.
-- Grain: one row.
-- Reads time_steps.
SELECT bucket_us AS bucket_us
FROM time_steps;
