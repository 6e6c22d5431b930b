// A peer of the bench: loads an access log into a table with DuckDB alone, and prints the seconds it took.
import { argv } from 'node:process';
import duckdb from '@duckdb/node-api';

const COMBINED = String.raw`^(\S+) \S+ (\S+) \[([^\]]+)\] "(\S+) (\S+) [^"]*" (\d{3}) (\d+|-) "([^"]*)" "([^"]*)"`;
const GROUPS = ['client', 'user_name', 'stamp', 'http_method', 'path', 'status', 'bytes', 'referer', 'user_agent'];

const LOAD = {
  combined: (file: string) => `
    CREATE TABLE requests AS
    SELECT client, strptime(stamp, '%d/%b/%Y:%H:%M:%S %z') AS ts, http_method, path, CAST(status AS INTEGER) AS status,
      TRY_CAST(bytes AS BIGINT) AS bytes, user_agent
    FROM (
      SELECT unnest(regexp_extract(line, '${COMBINED}', [${GROUPS.map((group) => `'${group}'`).join(', ')}]))
      FROM read_csv('${file}', columns = {'line': 'VARCHAR'}, delim = '\x01', quote = '', escape = '', header = false, auto_detect = false)
    )`,
  json: (file: string) => `
    CREATE TABLE requests AS
    SELECT remote_addr AS client, CAST(time_iso8601 AS TIMESTAMPTZ) AS ts, request_method AS http_method, request_uri AS path,
      CAST(status AS INTEGER) AS status, CAST(body_bytes_sent AS BIGINT) AS bytes, http_user_agent AS user_agent
    FROM read_ndjson('${file}', columns = {
      'time_iso8601': 'VARCHAR', 'remote_addr': 'VARCHAR', 'request_method': 'VARCHAR', 'request_uri': 'VARCHAR', 'status': 'VARCHAR',
      'body_bytes_sent': 'VARCHAR', 'http_user_agent': 'VARCHAR'})`,
};

const [, , shape, file = ''] = argv;
const load = LOAD[shape === 'json' ? 'json' : 'combined'](file.replaceAll("'", "''"));
const instance = await duckdb.DuckDBInstance.create(':memory:');
const connection = await instance.connect();
const start = performance.now();
await connection.run(load);
const seconds = (performance.now() - start) / 1000;
const [row] = await connection.runAndReadAll('SELECT COUNT(*) FROM requests').then((result) => result.getRows());
console.log(JSON.stringify({ seconds, rows: Number(row?.[0]) }));
