import { describe, expect, it } from 'vitest';
import {
  compare,
  FIGURE_NAMES,
  median,
  topClients,
  type Figures,
  type NightStorm,
  type PastNight,
} from '../../src/nightly/history.ts';
import { inWords } from '../../src/nightly/summary.ts';
import { plusDays } from '../../src/nightly/window.ts';

const storm = (client: string, kind: NightStorm['kind'] = 'refused_repeat', avoidable = 5): NightStorm => ({
  kind,
  client,
  storms: 1,
  requests: avoidable + 1,
  avoidable,
  under_gate: 1,
  start_ts: null,
  end_ts: null,
});

const night = (name: string, storms: NightStorm[] = [], figures: Partial<Figures> = {}): PastNight => ({
  night: name,
  storms,
  figures: { ...(Object.fromEntries(FIGURE_NAMES.map((figure) => [figure, 0])) as Figures), ...figures },
});

const names = (storms: readonly NightStorm[]) => storms.map(({ client }) => client);

describe('storms of a night', () => {
  const past = [night('2026-11-25', [storm('back'), storm('steady')]), night('2026-11-26', [storm('steady'), storm('left')])];
  const tonight = night('2026-11-27', [storm('steady'), storm('back'), storm('first'), storm('left', 'path_guessing')]);
  const found = compare(tonight, past);

  it('are new, returning, ongoing or gone by client and kind', () => {
    expect(names(found.fresh)).toEqual(['first', 'left']);
    expect(found.returning.map(({ client, last }) => [client, last])).toEqual([['back', '2026-11-25']]);
    expect(names(found.ongoing)).toEqual(['steady']);
    expect(names(found.gone)).toEqual(['left']);
  });

  it('are not compared with later nights', () => {
    expect(compare(tonight, [...past, night('2026-11-28', [storm('first')])])).toEqual(found);
  });

  it('are all new on the first night', () => {
    expect(compare(tonight, [])).toMatchObject({ nights: 0, ongoing: [], gone: [], returning: [] });
  });
});

describe('an unusual volume', () => {
  /** Four weeks up to Sunday 2026-11-29: Mondays have 3,000 requests, other days 1,000 with some play. */
  const weeks = Array.from({ length: 28 }, (_, index) => {
    const date = plusDays('2026-11-02', index);
    return night(date, [], { requests: (index % 7 === 0 ? 3000 : 1000) + (index % 5) * 10 });
  });
  const unusual = (date: string, figures: Partial<Figures>) => compare(night(date, [], figures), weeks).unusual;

  it('is told by the same weekday', () => {
    expect(unusual('2026-11-30', { requests: 3050 })).toEqual([]);
    expect(unusual('2026-11-30', { requests: 1000 })).toMatchObject([{ name: 'requests', against: 'the last Mondays' }]);
    expect(unusual('2026-12-01', { requests: 3050 })).toMatchObject([{ usual: 1015, against: 'the last Tuesdays' }]);
  });

  it('is told by the last seven nights while there are too few of a weekday', () => {
    const few = weeks.slice(-6);
    expect(compare(night('2026-11-30', [], { requests: 5000 }), few).unusual).toMatchObject([
      { against: 'the last seven nights' },
    ]);
    expect(compare(night('2026-11-30', [], { requests: 5000 }), few.slice(-3)).unusual).toEqual([]);
  });

  it('is no small step, whatever its ratio', () => {
    expect(unusual('2026-12-01', { requests: 1000, throttled: 19 })).toEqual([]);
    expect(unusual('2026-12-01', { requests: 1000, throttled: 20 })).toMatchObject([{ name: 'throttled', usual: 0 }]);
  });

  it.each([
    [{ value: 3050, usual: 1025 }, '3,050 requests: 3 times the median of the last Mondays, 1,025'],
    [{ value: 100, usual: 1000 }, '100 requests: 10 % of the median of the last Mondays, 1,000'],
    [{ value: 40, usual: 0 }, '40 requests: there were none in the median of the last Mondays'],
  ])('is said in words', (figures, words) => {
    expect(inWords({ name: 'requests', against: 'the last Mondays', ...figures })).toBe(words);
  });
});

it('ranks clients by what a gate would have spared over all nights', () => {
  const past = [night('a', [storm('x', 'refused_repeat', 3), storm('y')]), night('b', [storm('x', 'path_guessing', 9)])];
  expect(topClients(past, 2)).toEqual(['x', 'y']);
});

it('takes the middle of an even number of values between the two in the middle', () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, 0]);
});
