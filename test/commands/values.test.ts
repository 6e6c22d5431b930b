import { describe, expect, it } from 'vitest';
import { readCount, readDuration, readInstant, readSize, readZone } from '../../src/commands/values.ts';

const utc = (text: string) => Date.parse(text) * 1000;

describe('times', () => {
  it.each([
    ['2026-03-01', 'UTC', '2026-03-01T00:00:00Z'],
    ['2026-03-01 09:30', 'UTC', '2026-03-01T09:30:00Z'],
    ['2026-03-01T09:30:15+13:00', 'UTC', '2026-02-28T20:30:15Z'],
    ['2026-03-01T09:30:15-0330', 'Asia/Tokyo', '2026-03-01T13:00:15Z'],
    ['2026-03-01T09:30', 'Pacific/Auckland', '2026-02-28T20:30:00Z'],
    ['2026-07-01', 'Europe/Zurich', '2026-06-30T22:00:00Z'],
    // The clock shows 02:30 twice; the first is meant.
    ['2026-10-25T02:30', 'Europe/Zurich', '2026-10-25T00:30:00Z'],
    ['2026-04-05T02:30', 'Pacific/Auckland', '2026-04-04T13:30:00Z'],
    ['2024-02-29', 'UTC', '2024-02-29T00:00:00Z'],
  ])('reads %s in %s', (text, zone, moment) => {
    expect(readInstant('since', text, zone)).toBe(utc(moment));
  });

  it('keeps microseconds', () => {
    expect(readInstant('since', '2026-03-01T09:30:15.000123Z', 'UTC')).toBe(utc('2026-03-01T09:30:15Z') + 123);
  });

  it.each([
    'yesterday',
    '24h',
    '2026-02-30',
    '2026-13-01',
    '2026-03-01T24:00',
    '2026-03-01T09',
    '2026-3-1',
    '20260301',
    '',
    '2026-03-01T09:30:61Z',
  ])('refuses %j', (text) => {
    expect(() => readInstant('since', text, 'UTC')).toThrow(`bad value for --since: ${JSON.stringify(text)}`);
  });
});

describe('durations', () => {
  it.each([
    ['30m', 1_800_000],
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['250ms', 250],
    ['1d', 86_400_000],
    ['5min', 300_000],
  ])('reads %s', (text, ms) => {
    expect(readDuration('session-gap', text)).toBe(ms);
  });

  it.each(['30', '30 m', '-5m', '1.5h', 'm', '30x', '', '1h 30m'])('refuses %j', (text) => {
    expect(() => readDuration('session-gap', text)).toThrow('bad value');
  });
});

describe('other values', () => {
  it('spells a zone as the catalogue does, and names the nearest to a wrong one', () => {
    expect(readZone('europe/zurich')).toBe('Europe/Zurich');
    expect(() => readZone('Europe/Zurch')).toThrow(
      expect.objectContaining({ detail: { help: 'did you mean "Europe/Zurich"? give an IANA name such as Europe/Zurich' } }),
    );
    expect(() => readZone('nowhere')).toThrow('unknown time zone: "nowhere"');
  });

  it.each(['512MB', '2GB', '1.5GiB', '300 mb'])('takes %s for a size', (text) => {
    expect(readSize('memory', text)).toBe(text);
  });

  it.each(['512', 'lots', '-1GB', '0MB', "1GB'; DROP TABLE requests"])('refuses %j as a size', (text) => {
    expect(() => readSize('memory', text)).toThrow('bad value for --memory');
  });

  it.each(['0', '-1', '1.5', 'two', '1e3', ''])('refuses %j as a count of threads', (text) => {
    expect(() => readCount('threads', text, 1)).toThrow('bad value for --threads');
  });
});
