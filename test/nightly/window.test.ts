import { describe, expect, it } from 'vitest';
import { datesBetween, nightAt, nightOf, plusDays } from '../../src/nightly/window.ts';

const at = (iso: string): number => Date.parse(iso) * 1000;
const hours = ({ since, until }: { since: number; until: number }): number => (until - since) / 3.6e9;
const starts = (date: string, zone: string): string => new Date(nightOf(date, zone).since / 1000).toISOString();

describe('a day of a zone', () => {
  it.each([
    ['2026-11-28', 'UTC', '2026-11-28T00:00:00.000Z', 24],
    ['2026-11-28', 'Europe/Zurich', '2026-11-27T23:00:00.000Z', 24],
    ['2026-03-29', 'Europe/Zurich', '2026-03-28T23:00:00.000Z', 23],
    ['2026-10-25', 'Europe/Zurich', '2026-10-24T22:00:00.000Z', 25],
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z', 23],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z', 25],
    ['2026-04-05', 'Australia/Lord_Howe', '2026-04-04T13:00:00.000Z', 24.5],
    // Clocks jump over midnight: the day begins at one o'clock.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z', 23],
    // Midnight comes twice: the day begins with the first.
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z', 25],
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z', 23],
  ])('%s in %s begins at %s and has %d hours', (date, zone, start, length) => {
    expect(starts(date, zone)).toBe(start);
    expect(hours(nightOf(date, zone))).toBe(length);
  });

  it.each(['Europe/Zurich', 'America/New_York', 'America/Santiago', 'Asia/Kathmandu', 'Pacific/Auckland'])(
    'of a year in %s follows the one before without gap or overlap',
    (zone) => {
      const nights = datesBetween('2026-01-01', '2026-12-31').map((date) => nightOf(date, zone));
      expect(nights).toHaveLength(365);
      expect(nights.slice(1).filter((night, index) => night.since !== nights[index]?.until)).toEqual([]);
    },
  );
});

describe('the night of a run', () => {
  it('is the calendar day before, in the zone', () => {
    expect(nightAt(at('2026-11-29T02:00:00Z'), { is: 'yesterday' }, 'UTC').name).toBe('2026-11-28');
    expect(nightAt(at('2026-11-29T02:00:00Z'), { is: 'yesterday' }, 'America/New_York').name).toBe('2026-11-27');
  });

  it('is the same however late the timer is', () => {
    const names = ['02:00', '05:30', '23:59'].map(
      (time) => nightAt(at(`2026-11-29T${time}:00Z`), { is: 'yesterday' }, 'UTC').name,
    );
    expect(new Set(names)).toEqual(new Set(['2026-11-28']));
  });

  it('of last hours ends at the last full hour, so that nights follow each other', () => {
    const first = nightAt(at('2026-10-25T02:04:11Z'), { is: 'last', hours: 24 }, 'Europe/Zurich');
    const second = nightAt(at('2026-10-26T02:59:59Z'), { is: 'last', hours: 24 }, 'Europe/Zurich');
    expect(first.until).toBe(second.since);
    expect([hours(first), hours(second)]).toEqual([24, 24]);
    expect(first.name).toBe('2026-10-25');
  });
});

it('counts days over the ends of months and years', () => {
  expect(plusDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(plusDays('2028-03-01', -1)).toBe('2028-02-29');
});
