import { describe, expect, it } from 'vitest';
import { crossedLimits, FIGURES, readLimit } from '../../src/commands/limits.ts';
import type { Findings } from '../../src/findings/findings.ts';

const findings = {
  storms: [{ kind: 'path_guessing' }, { kind: 'path_guessing' }, { kind: 'refused_repeat' }],
  findings: [{ rule: 'scanner' }],
  requests: { total: 100, by_kind: { throttled: 12 } },
  rejects: { total: 3 },
  clients: { total: 4 },
  sessions: { total: 9 },
  contract: { undeclared: 2 },
  savings: { lower: 19, upper: 21, avoidable_first: 3, overrun: 0, harm: 1, ambiguous_repeats: 0 },
} as unknown as Findings;

const crossed = (text: string) => crossedLimits(findings, [readLimit(text, FIGURES)], FIGURES);

describe('--fail-on', () => {
  it.each([
    'storms>0',
    'storms >= 3',
    'storms = 3',
    'storms==3',
    'path_guessing>1',
    'scanner>0',
    'throttled > 11.5',
    'auth!=1',
    'lower<20',
    ' harm > 0 ',
    'undeclared<=2',
  ])('is crossed by %j', (text) => {
    expect(crossed(text)).toHaveLength(1);
  });

  it.each(['storms>3', 'stale_session>0', 'overrun>0', 'transient>0', 'upper<21'])('is not crossed by %j', (text) => {
    expect(crossed(text)).toEqual([]);
  });

  it('says which limit, and what the figure is', () => {
    expect(crossed('storms>0')).toEqual(['limit crossed: storms>0 (storms is 3)']);
  });

  it.each(['storms', '>0', 'storms>', 'storms>many', 'storms=>0', 'storms>-1', 'storms>0;rejects>0', ''])(
    'refuses %j',
    (text) => {
      expect(() => readLimit(text, FIGURES)).toThrow('bad limit');
    },
  );

  it('names the nearest figure', () => {
    expect(() => readLimit('strom>0', FIGURES)).toThrow('unknown figure: "strom"');
    expect(() => readLimit('constructor>0', FIGURES)).toThrow('unknown figure');
  });

  it('gives every figure a name of its own and a number', () => {
    expect(Object.values(FIGURES).map((figure) => typeof figure(findings))).not.toContain('undefined');
  });
});
