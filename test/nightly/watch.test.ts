// A pipe that is looked at while it runs tells the storms that a report on all of it tells.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROOT, stormgate } from '../support/program.ts';

const STORY = `${ROOT}/samples/stories/federation-24h`;
const GATEWAY = `${STORY}/gateway.json.log`;
const CARD = `${STORY}/agent-card.json`;
const REFUSED = `${ROOT}/samples/stories/refused-repeat/access.log`;

interface StormLine {
  event?: string;
  at?: string;
  kind: string;
  client: string;
  requests: number;
  avoidable: number;
  under_gate: number;
  start_ts: string;
  end_ts: string;
}

const facts = ({ kind, client, requests, avoidable, under_gate, start_ts, end_ts }: StormLine) => ({
  kind,
  client,
  requests,
  avoidable,
  under_gate,
  start_ts,
  end_ts,
});

const eventsOf = (stdout: string): StormLine[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as StormLine);

describe('watch', () => {
  it('tells the storms of a day of which it holds a quarter of an hour', { timeout: 60_000 }, async () => {
    // A pipe takes 64 kB at a time, and each is looked at: the storm, one request in half an hour, spans many looks.
    const stdin = readFileSync(GATEWAY, 'utf8');
    expect(stdin.length).toBeGreaterThan(4 * 65_536);
    const watched = await stormgate(['watch', '--contract', CARD, '--every', '0s', '--format', 'ndjson', '-q'], { stdin });
    const report = await stormgate([GATEWAY, '--contract', CARD, '--format', 'json', '-q']);
    const { storms } = JSON.parse(report.stdout) as { storms: StormLine[] };
    const events = eventsOf(watched.stdout);
    expect(watched).toMatchObject({ code: 0, stderr: '' });
    expect(storms.length).toBeGreaterThan(0);
    expect(events.filter(({ event }) => event === 'end').map(facts)).toEqual(storms.map(facts));
    const [start, end] = events;
    expect(start).toMatchObject({ event: 'start' });
    expect(Date.parse(start?.at ?? '')).toBeLessThan(Date.parse(end?.at ?? ''));
  });

  it('prints a line when a storm starts and one when it ends', { timeout: 60_000 }, async () => {
    const { stdout } = await stormgate(['watch'], { stdin: readFileSync(REFUSED, 'utf8') });
    expect(stdout).toMatch(
      /^2026-11-04T14:\S+ start refused_repeat 198\.51\.100\.65 sync-agent\/1\.0: 6 requests, 5 avoidable \(from line 1\)\n2026-11-04T14:\S+ end refused_repeat .*\n$/,
    );
  });

  it('leaves with 1 once a limit is crossed', { timeout: 60_000 }, async () => {
    const { code, stderr } = await stormgate(['watch', REFUSED, '--fail-on', 'refused_repeat>0']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'limit crossed: refused_repeat>0 (refused_repeat is 1)\n' });
    expect((await stormgate(['watch', REFUSED, '--fail-on', 'path_guessing>0'])).code).toBe(0);
  });

  it('runs a program for each line', { timeout: 60_000 }, async () => {
    const { stderr } = await stormgate(['watch', REFUSED, '--exec', 'cat >&2']);
    expect(eventsOf(stderr).map(({ event, kind }) => [event, kind])).toEqual([
      ['start', 'refused_repeat'],
      ['end', 'refused_repeat'],
    ]);
  });
});
