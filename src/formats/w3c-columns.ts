// W3C extended logs: what their columns mean, whoever writes them. Which columns there are, a `#Fields:` line says.
import type { AccessRecord, RejectReason } from '../record.ts';
import { parseAddress, parseAuthority } from './address.ts';
import { isAbsent, normalizeKey, REQUEST_HEADERS, RESPONSE_HEADERS } from './headers.ts';
import { principalOf } from './identity.ts';
import { parseCount, parseDuration, parseStatus, type Unit } from './numbers.ts';
import { blankRecord, parseMethod, readForwarded, readQuery, readTarget, readUserAgent } from './request.ts';
import { withSignal } from './signal.ts';
import { parseEpoch, parseIso, startOf, type Stamp } from './time.ts';

/** How one writer of such logs spells things. */
export interface Dialect {
  /** Unit of `time-taken`. */
  unit: Unit;
  /** Undoes the escapes of a header field. */
  decode(text: string): string;
  /** Undoes those of a path. */
  decodePath(text: string): string;
}

/** What the columns of one line gave, before it becomes a record. */
interface Row {
  record: AccessRecord;
  dialect: Dialect;
  date: string;
  clock: string;
  /** Zone of date and clock. */
  zone: string;
  end: Stamp | null;
  scheme: string | null;
  host: string;
  forwarded: string;
  path: string;
  query: string;
  status: string;
}

type Reader = (row: Row, value: string, localZone: string) => void;

const COLUMNS = new Map<string, Reader>([
  ['date', (row, value) => (row.date = value)],
  ['time', (row, value) => (row.clock = value)],
  ['date-local', (row, value, zone) => ((row.date = value), (row.zone = zone))],
  ['time-local', (row, value, zone) => ((row.clock = value), (row.zone = zone))],
  ['timestamp', (row, value) => (row.end = parseEpoch(value) ?? row.end)],
  ['timestamp(ms)', (row, value) => (row.end = parseEpoch(value) ?? row.end)],
  ['c-ip', (row, value) => (row.record.address = parseAddress(value))],
  ['x-forwarded-for', (row, value) => (row.forwarded = value)],
  ['cs-method', (row, value) => (row.record.http_method = parseMethod(value))],
  ['cs-uri-stem', (row, value) => (row.path = row.dialect.decodePath(value))],
  ['cs-uri', (row, value) => (row.path = row.dialect.decodePath(value))],
  ['cs-uri-query', (row, value) => (row.query = value)],
  ['cs-host', (row, value) => (row.host ||= value)],
  ['cs(host)', (row, value) => (row.host ||= value)],
  ['x-host-header', (row, value) => (row.host = value)],
  ['cs-protocol', (row, value) => (row.scheme = value.toLowerCase())],
  ['cs-username', ({ record }, value) => (record.principal = principalOf('user', value))],
  ['cs-user-agent', ({ record, dialect }, value) => readUserAgent(record, dialect.decode(value))],
  ['cs(user-agent)', ({ record, dialect }, value) => readUserAgent(record, dialect.decode(value))],
  ['cs-headers', readRawHeaders],
  ['sc-status', (row, value) => (row.status = value)],
  ['sc-bytes', ({ record }, value) => (record.response_bytes = parseCount(value))],
  ['cs-bytes', ({ record }, value) => (record.request_bytes = parseCount(value))],
  ['time-taken', ({ record, dialect }, value) => (record.duration_us = parseDuration(value, dialect.unit))],
  ['x-edge-request-id', readEdgeId],
]);

/** CloudFront's own id of a request; a line with it, the same time and the same status is the same line. */
function readEdgeId({ record }: Row, value: string): void {
  record.correlation = value.toLowerCase();
  record.request_key = value;
}

/** Headers as they came, one `name:value` behind the other. */
function readRawHeaders({ record, dialect }: Row, value: string): void {
  for (const header of value.split(/%0A|\n/, 64)) {
    const colon = header.indexOf(':');
    if (colon > 0) REQUEST_HEADERS.get(normalizeKey(header.slice(0, colon)))?.(record, dialect.decode(header.slice(colon + 1)));
  }
}

/** `cs(X)` is a header of the request, `sc(X)` one of the answer. */
function headerColumn(name: string): Reader | undefined {
  const match = /^(cs|sc)\(([\w-]{1,64})\)$/.exec(name);
  if (match === null) return undefined;
  const reader = (match[1] === 'cs' ? REQUEST_HEADERS : RESPONSE_HEADERS).get(normalizeKey(match[2] ?? ''));
  return reader === undefined ? undefined : ({ record, dialect }, value) => reader(record, dialect.decode(value));
}

export type ReadRow = { records: AccessRecord[] } | { reject: RejectReason };

export interface Layout {
  /** Number of columns. */
  width: number;
  /** Returns the record of a line's fields. Of a line with fewer fields the last may be cut, and is not read. */
  read(fields: readonly string[], localZone: string): ReadRow;
}

/** Returns the names in a `#Fields:` line, in lower case, or undefined for any other line. */
export function columnsIn(line: string): string[] | undefined {
  return /^"?#Fields:/i.test(line)
    ? line
        .slice(line.indexOf(':') + 1)
        .replaceAll('"', ' ')
        .trim()
        .toLowerCase()
        .split(/\s+/)
    : undefined;
}

/** Returns what reads the lines under some columns; `date` is that of a `#Date:` line, for logs that bear only times. */
export function openLayout(names: readonly string[], dialect: Dialect, date = ''): Layout {
  const readers = names.map((name) => COLUMNS.get(name) ?? headerColumn(name));
  return {
    width: names.length,
    read(fields, localZone) {
      const row = newRow(dialect, date);
      const count = fields.length < readers.length ? fields.length - 1 : readers.length;
      for (let index = 0; index < count; index++) {
        const value = fields[index] ?? '';
        if (!isAbsent(value)) readers[index]?.(row, value, localZone);
        else if (readers[index] === COLUMNS.get('sc-status')) row.status = '-';
      }
      return finish(row, fields.length < readers.length);
    },
  };
}

function newRow(dialect: Dialect, date: string): Row {
  return {
    record: blankRecord(),
    dialect,
    date,
    clock: '',
    zone: 'UTC',
    end: null,
    scheme: null,
    host: '',
    forwarded: '',
    path: '',
    query: '',
    status: '',
  };
}

function finish(row: Row, isCut: boolean): ReadRow {
  const { record, status } = row;
  const end = row.end ?? parseIso(`${row.date} ${row.clock}`, row.zone);
  if (status === '' && isCut) return { reject: 'truncated' };
  if (end === null) return { reject: 'bad_time' };
  if (!/^(?:\d{1,3}|-)$/.test(status)) return { reject: status === '' ? 'bad_fields' : 'bad_status' };
  record.signal = withSignal(record.signal, 'status', parseStatus(status));
  if (row.path !== '') readTarget(record, row.path);
  if (row.query !== '') readQuery(record, record.path, row.query);
  record.authority = parseAuthority(row.host, row.scheme) ?? record.authority;
  readForwarded(record, row.forwarded);
  if (record.signal.status === 401) record.principal = null;
  record.ts = startOf(end, record.duration_us);
  return { records: [record] };
}
