import { describe, expect, it } from 'vitest';
import { WRAPPER_NAMES, WRAPPERS, type Peeled } from '../../src/read/wrappers/index.ts';

const CONTEXT = { timeZone: 'UTC' };

/** As samples tell it: the stamp by its moment alone. */
function brief(peeled: Peeled | undefined): object | undefined {
  if (peeled === undefined) return undefined;
  const { stamp, ...rest } = peeled;
  return stamp === undefined || stamp === null ? rest : { ...rest, ts: stamp.us };
}

describe.each(WRAPPER_NAMES)('%s', (name) => {
  const { peel, open, samples, spec, title } = WRAPPERS[name];

  it('is listed under its own name, with a link', () => {
    expect(WRAPPERS[name].name).toBe(name);
    expect(spec).toMatch(/^https:\/\//);
    expect(title).not.toBe('');
  });

  it.each(samples.map((sample) => [sample.line.slice(0, 90), sample] as const))('peels %s', (_, { line, expect: wanted }) => {
    expect(brief(peel(line, CONTEXT))).toEqual(wanted);
    if (open !== undefined) expect(brief(open(CONTEXT)(line))).toEqual(wanted);
  });

  it('leaves the samples of surer wrappers, and plain text, alone or gives less', () => {
    for (const text of [
      '',
      ' ',
      'It was a dark night.',
      '192.0.2.1 - - [12/Oct/2026:09:14:03 +0200] "GET / HTTP/1.1" 404 153 "-" "node"',
    ]) {
      expect(peel(text, CONTEXT), text).toBeUndefined();
    }
  });
});

const PIECES = [
  '[',
  ']',
  '"',
  '\\',
  ' ',
  '  ',
  '{',
  '{"',
  ': ',
  ' | ',
  '- ',
  'a',
  'a.',
  'a/',
  '1',
  '<1>',
  '=',
  'msg="',
  'k=v ',
  '\u001b[',
  '#033[',
  ':',
  '2026-11-25 ',
  'INFO ',
  '[a]',
  'Nov 25 ',
];
const FRONTS = [
  '',
  '2026-11-25T23:02:08Z ',
  '2026-11-25 23:02:08,857 ',
  '<165>1 2026-11-25T23:02:06.003Z h p 1 - ',
  'Nov 25 23:02:05 ',
  '[11/25/26 23:02:08] INFO     ',
  'level=info ',
  'web-1 ',
  '[pod/',
];

describe('a very long line', () => {
  it.each(WRAPPER_NAMES)('is peeled in a moment: %s', (name) => {
    const { peel, open } = WRAPPERS[name];
    const opened = open?.(CONTEXT);
    for (const front of FRONTS) {
      for (const piece of PIECES) {
        const line = front + piece.repeat(100_000 / piece.length);
        const started = process.cpuUsage();
        peel(line, CONTEXT);
        opened?.(line);
        expect(process.cpuUsage(started).user, `${front}${piece}…`).toBeLessThan(1_000_000);
      }
    }
  });
});
