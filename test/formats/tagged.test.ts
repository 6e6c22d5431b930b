import { expect, test } from 'vitest';
import { FORMATS } from '../../src/formats/index.ts';
import { tagged, TAGGED_KEYS, toTagged } from '../../src/formats/tagged.ts';
import type { AccessRecord, Verdict } from '../../src/record.ts';

const CONTEXT = { timeZone: 'UTC' };
const VERDICT: Verdict = {
  kind: 'ambiguous',
  reason: 'unknown',
  advice: 'ABSTAIN',
  confidence: 'status_only',
  memory_family: 'ambiguous',
  lifted_by: 'none',
  need: 1,
};

function recordsOf(line: string): AccessRecord[] {
  return Object.values(FORMATS).flatMap((format) => {
    const parsed = format.parse(line, CONTEXT);
    if (typeof parsed === 'string' || 'reject' in parsed) return [];
    return 'records' in parsed ? parsed.records : parsed.halves.map(({ record }) => record);
  });
}

/** What tells doubles and proxies is used up before a record is written. */
function asWritten({ request_key: _key, is_upstream: _leg, forwarded: _list, ...record }: AccessRecord): AccessRecord {
  return record;
}

const records = Object.values(FORMATS).flatMap(({ samples }) => samples.flatMap(({ line }) => recordsOf(line).map(asWritten)));

test.each(records.map((record) => [JSON.stringify(record), record] as const))(
  'what is written reads back as the same record: %s',
  (_, record) => {
    const origin = { source: 'a.log', line: 7, part: 1, format: 'combined' };
    const line = JSON.stringify(toTagged(record, origin, 'someone', VERDICT));
    const parsed = tagged.parse(line, CONTEXT);
    expect(parsed).toEqual({ records: [record], origin });
    expect((parsed as { records: AccessRecord[] }).records[0]?.signal).toBe(record.signal);
  },
);

test('keys keep their order, absent values are null', () => {
  const [record] = records;
  if (record === undefined) throw new Error('no samples');
  const object = toTagged(record, { source: 'a.log', line: 1, part: 0, format: 'combined' }, 'someone', VERDICT);
  expect(Object.keys(object)).toEqual([...TAGGED_KEYS]);
  expect(Object.values(object)).not.toContain(undefined);
});
