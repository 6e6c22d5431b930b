import { describe, expect, test } from 'vitest';
import {
  countZoneless,
  formatTs,
  parseClf,
  parseEpoch,
  parseIso,
  parseLocalClf,
  parseStamp,
  parseYearless,
  startOf,
} from '../../src/formats/time.ts';

const us = (iso: string): number => Date.parse(iso) * 1000;

describe('a CLF stamp', () => {
  test.each([
    ['12/Oct/2026:09:14:03 +0200', '2026-10-12T07:14:03Z'],
    ['01/Jan/1970:00:00:00 +0000', '1970-01-01T00:00:00Z'],
    ['29/Feb/2028:23:59:59 -0130', '2028-03-01T01:29:59Z'],
    ['31/Dec/2026:23:59:60 +0000', '2027-01-01T00:00:00Z'],
  ])('%s is %s', (text, iso) => {
    expect(parseClf(text)).toBe(us(iso));
    expect(parseClf(`[${text}]`, 1)).toBe(us(iso));
  });

  test.each([
    '29/Feb/2026:09:14:03 +0200',
    '31/Apr/2026:09:14:03 +0200',
    '00/Oct/2026:09:14:03 +0200',
    '12/Xct/2026:09:14:03 +0200',
    '12/oct/2026:09:14:03 +0200',
    '12/Oct/2026:24:14:03 +0200',
    '12/Oct/2026:09:60:03 +0200',
    '12/Oct/2026:09:14:61 +0200',
    '12/Oct/2026:09:14:03 00200',
    '12/Oct/2026:09:14:03 +02x0',
    '12/Oct/2026:09:14',
    '',
  ])('%j is none, whatever came before it', (text) => {
    expect(parseClf(text)).toBeNull();
    parseClf('12/Oct/2026:09:14:03 +0200');
    expect(parseClf(text)).toBeNull();
  });

  test('every day of four centuries agrees with the platform', () => {
    const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
    for (let day = -90_000; day < 100_000; day += 7) {
      const date = new Date(day * 86_400_000);
      const text = `${String(date.getUTCDate()).padStart(2, '0')}/${months[date.getUTCMonth()]}/${date.getUTCFullYear()}:00:00:00 +0000`;
      expect(parseClf(text)).toBe(day * 86_400_000_000);
    }
  });
});

test.each([
  ['09/Nov/2026:11:22:33.104', 'UTC', us('2026-11-09T11:22:33.104Z'), 1000],
  ['09/Nov/2026:11:22:33.104500', 'Europe/Berlin', us('2026-11-09T10:22:33.104Z') + 500, 1],
  ['09/Nov/2026:11:22:33', 'UTC', us('2026-11-09T11:22:33Z'), 1_000_000],
])('the local CLF stamp %s in %s is %d at a resolution of %d µs', (text, zone, wanted, resolution_us) => {
  expect(parseLocalClf(text, zone)).toEqual({ us: wanted, resolution_us });
});

test.each(['09/Nov/2026:11:22:33.', '09/Nov/2026:11:22:33.1x', '09/Nov/2026:11:22', '9/Nov/2026:11:22:33.104', ''])(
  'the local CLF stamp %j is none',
  (text) => {
    expect(parseLocalClf(text, 'UTC')).toBeNull();
  },
);

test.each([
  ['2026-10-12T07:14:03+00:00', 'UTC', us('2026-10-12T07:14:03Z'), 1_000_000],
  ['2026-10-12T09:14:03.481+02:00', 'UTC', us('2026-10-12T07:14:03.481Z'), 1000],
  ['2026-10-12T07:14:03.123456789Z', 'UTC', us('2026-10-12T07:14:03.123Z') + 456, 1],
  ['2026-10-12 07:14:03,857', 'UTC', us('2026-10-12T07:14:03.857Z'), 1000],
  ['2026/10/12 07:14:03.857', 'UTC', us('2026-10-12T07:14:03.857Z'), 1000],
  ['2026-10-12T07:14:03+0530', 'UTC', us('2026-10-12T01:44:03Z'), 1_000_000],
  ['2026-10-12T07:14:03-05', 'UTC', us('2026-10-12T12:14:03Z'), 1_000_000],
  ['2026-07-01T12:00:00', 'Europe/Berlin', us('2026-07-01T10:00:00Z'), 1_000_000],
  ['2026-01-01T12:00:00', 'Europe/Berlin', us('2026-01-01T11:00:00Z'), 1_000_000],
  ['2026-10-25T02:30:00', 'Europe/Berlin', us('2026-10-25T00:30:00Z'), 1_000_000],
  ['2026-10-25T03:30:00', 'Europe/Berlin', us('2026-10-25T02:30:00Z'), 1_000_000],
  ['2026-07-01T12:00:00+00:00', 'Europe/Berlin', us('2026-07-01T12:00:00Z'), 1_000_000],
  ['2026-07-01T12:00:00', 'Asia/Kathmandu', us('2026-07-01T06:15:00Z'), 1_000_000],
])('the ISO stamp %s in %s is %d at a resolution of %d µs', (text, zone, wanted, resolution_us) => {
  expect(parseIso(text, zone)).toEqual({ us: wanted, resolution_us });
});

test.each([
  '9999-10-12T07:14:03Z',
  '0001-01-01T00:00:00Z',
  '2026-10-32T07:14:03Z',
  '2026-10-12T25:14:03Z',
  '2026-10-12',
  'yesterday',
  '',
])('%j is no ISO stamp', (text) => {
  expect(parseIso(text)).toBeNull();
});

test.each([
  ['1791789243', 1_791_789_243_000_000, 1_000_000],
  ['1791789243.481', 1_791_789_243_481_000, 1000],
  ['1791789243481', 1_791_789_243_481_000, 1000],
  ['1791789243481123', 1_791_789_243_481_123, 1],
  ['1791789243481123999', 1_791_789_243_481_123, 1],
  [1_792_054_443.4812331, 1_792_054_443_481_233, 1],
  [1_791_789_243, 1_791_789_243_000_000, 1_000_000],
  [1_791_789_243_481, 1_791_789_243_481_000, 1000],
])('the epoch number %s is %d at a resolution of %d µs', (value, wanted, resolution_us) => {
  expect(parseEpoch(value)).toEqual({ us: wanted, resolution_us });
});

test.each(['99999999999', 99_999_999_999, 0.123, -1, NaN, Infinity, '12', 'x', '', 1e30])('%s is no epoch number', (value) => {
  expect(parseEpoch(value)).toBeNull();
});

test.each([
  ['[12/Oct/2026:09:14:03 +0200]', us('2026-10-12T07:14:03Z')],
  ['2026-10-12T07:14:03Z', us('2026-10-12T07:14:03Z')],
  ['1791789243', us('2026-10-12T07:14:03Z')],
])('any spelling of a stamp is read: %s', (value, wanted) => {
  expect(parseStamp(value)?.us).toBe(wanted);
});

test.each([
  ['a stamp of whole seconds keeps its second', 1_000_000, 400_000, 10_000_000],
  ['only whole seconds are taken off', 1_000_000, 3_400_000, 7_000_000],
  ['a stamp in ms gives the start in ms', 1000, 3_012_345, 6_988_000],
  ['no duration leaves the end', 1, null, 10_000_000],
])('%s', (_, resolution_us, duration, start) => {
  expect(startOf({ us: 10_000_000, resolution_us }, duration)).toBe(start);
});

test.each([
  [1_791_789_243_481_233, '2026-10-12T07:14:03.481233Z'],
  [0, '1970-01-01T00:00:00.000000Z'],
  [-1, '1969-12-31T23:59:59.999999Z'],
])('%d is written as %s', (value, text) => {
  expect(formatTs(value)).toBe(text);
  expect(parseIso(text)?.us).toBe(value);
});

const at = (text: string) => (parseIso(text) ?? { us: NaN }).us;

describe('a stamp without year', () => {
  test.each([
    [
      'is of the last year in which the file can be younger',
      'Nov 25 23:02:05',
      { fileTime: at('2026-12-01T00:00:00Z') },
      '2026-11-25T23:02:05Z',
    ],
    [
      'is of the year before, if the file was written in January',
      'Dec 31 23:59:59',
      { fileTime: at('2027-01-02T00:00:00Z') },
      '2026-12-31T23:59:59Z',
    ],
    [
      'goes with the nearest dated line',
      'Jan  1 00:00:01',
      { near: at('2026-12-31T23:59:59Z'), fileTime: 0 },
      '2027-01-01T00:00:01Z',
    ],
    ['may be a leap day', 'Feb 29 12:00:00.5', { fileTime: at('2029-02-01T00:00:00Z') }, '2028-02-29T12:00:00.5Z'],
  ])('%s', (_, text, surroundings, wanted) => {
    const found = parseYearless(text, { timeZone: 'UTC', ...surroundings });
    expect(found?.us).toBe(at(wanted));
  });

  test('is nothing where nothing tells the year, or the day is none', () => {
    expect(parseYearless('Nov 25 23:02:05', { timeZone: 'UTC' })).toBeNull();
    expect(parseYearless('Nov 31 23:02:05', { timeZone: 'UTC', fileTime: at('2026-12-01T00:00:00Z') })).toBeNull();
    expect(parseYearless('Nix 25 23:02:05', { timeZone: 'UTC', fileTime: at('2026-12-01T00:00:00Z') })).toBeNull();
  });

  test('is read in the zone of the context, and counted as one without', () => {
    const before = countZoneless();
    const found = parseYearless('Nov 25 23:02:05', { timeZone: 'Pacific/Auckland', near: at('2026-12-01T00:00:00Z') });
    expect(found?.us).toBe(at('2026-11-25T10:02:05Z'));
    expect(countZoneless()).toBe(before + 1);
  });
});
