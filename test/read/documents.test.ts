import { describe, expect, it } from 'vitest';
import { elementsOf, openDocuments } from '../../src/read/documents.ts';

type Event = readonly [what: string, text: string, lines: readonly number[]];

/** Everything that becomes of some lines; `cut` says where a line goes on in another piece. */
function eventsOf(lines: readonly string[], { maxSize = 1000, pieces = Infinity } = {}): { events: Event[]; held: number } {
  const events: Event[] = [];
  const held = new Map<number, number>();
  const documents = openDocuments<number>(
    {
      element: ({ text, lines: on }) => events.push(['element', text, [...on]]),
      whole: ({ text, lines: on }, elements) => events.push([`whole of ${elements.length}`, text, [...on]]),
      lines: (all) => all.forEach(({ text, line }) => events.push(['line', text, [line]])),
      failed: (reason, on) => events.push([reason, '', [...on]]),
      part: () => undefined,
      hold: (line) => held.set(line, (held.get(line) ?? 0) + 1),
      release: (line) => held.set(line, (held.get(line) ?? 0) - 1),
    },
    maxSize,
  );
  lines.forEach((text, line) => {
    const isCut = text.length > pieces;
    for (let at = 0; at < text.length || at === 0; at += pieces) {
      const goesOn = isCut && at + pieces < text.length;
      if (!documents.push(text.slice(at, at + pieces), line, isCut && goesOn))
        events.push(['line', text.slice(at, at + pieces), [line]]);
    }
  });
  documents.end();
  return { events, held: [...held.values()].reduce((sum, count) => sum + Math.abs(count), 0) };
}

const CASES: [string, string[], Event[]][] = [
  [
    'a value on one line, which is for its format',
    ['{"a":1}', '["x"]'],
    [
      ['line', '{"a":1}', [0]],
      ['line', '["x"]', [1]],
    ],
  ],
  [
    'a value over lines',
    ['{', ' "a": 1,', ' "b": [1, 2],', ' "c": {}', '}'],
    [['whole of 0', '{"a":1,"b":[1,2],"c":{}}', [0, 1, 2, 3, 4]]],
  ],
  [
    'values that follow each other',
    ['{', '}, {', '"a": 1 }'],
    [
      ['whole of 0', '{}', [0, 1]],
      ['whole of 0', '{"a":1}', [1, 2]],
    ],
  ],
  [
    'a list over lines',
    ['[', '{ "a": 1 },', '{', '"b": 2', '}', ']'],
    [
      ['element', '{"a":1}', [1]],
      ['element', '{"b":2}', [2, 3, 4]],
    ],
  ],
  [
    'a list with its elements on its edges',
    ['[{"a":1},', '{"b":2},{"c":3}', ']'],
    [
      ['element', '{"a":1}', [0]],
      ['element', '{"b":2}', [1]],
      ['element', '{"c":3}', [1]],
    ],
  ],
  [
    'an envelope',
    ['{"x": [1],', '"records": [', '{"a": 1}, {"b":', '2}', ']}'],
    [['whole of 2', '{"x":[1],"records":[{"a":1},{"b":2}]}', [0, 1, 2, 3, 4]]],
  ],
  [
    'text that looks like a list',
    ['[12/Oct/2026] GET', '[x]', '['],
    [
      ['line', '[12/Oct/2026] GET', [0]],
      ['line', '[x]', [1]],
      ['line', '[', [2]],
    ],
  ],
  [
    'a line that broke off',
    ['{"a": "x', '{"a":1}'],
    [
      ['line', '{"a": "x', [0]],
      ['line', '{"a":1}', [1]],
    ],
  ],
  [
    'a line that broke off between members',
    ['{"a": 1,', '{"a":2}'],
    [
      ['line', '{"a": 1,', [0]],
      ['line', '{"a":2}', [1]],
    ],
  ],
  [
    'a value that broke off before another',
    ['{', '"a": 1', '{', '"b": 2', '}'],
    [
      ['line', '{', [0]],
      ['line', '"a": 1', [1]],
      ['whole of 0', '{"b":2}', [2, 3, 4]],
    ],
  ],
  [
    'a list that broke off',
    ['[', '{"a":1},', '{"b":', 'text'],
    [
      ['element', '{"a":1}', [1]],
      ['truncated', '', [2]],
      ['line', 'text', [3]],
    ],
  ],
  [
    'texts with brackets and quotes',
    ['{', String.raw`"a\"}": "\\",`, '"b": "{["}'],
    [['whole of 0', String.raw`{"a\"}":"\\","b":"{["}`, [0, 1, 2]]],
  ],
  [
    'numbers of any size as they are',
    ['{', '"a": 1795647728000000001,', '"b": -1.5e+3, "c": null, "d": true }'],
    [['whole of 0', '{"a":1795647728000000001,"b":-1.5e+3,"c":null,"d":true}', [0, 1, 2]]],
  ],
  [
    'a list of HAR entries',
    ['{"log": {"version": "1.2", "pages": [{}],', '"entries": [', '{"a":1}', ']}}'],
    [['whole of 1', '{"log":{"version":"1.2","pages":[{}],"entries":[{"a":1}]}}', [0, 1, 2, 3]]],
  ],
];

describe('documents', () => {
  it.each(CASES)('are told from lines: %s', (_, lines, wanted) => {
    expect(eventsOf(lines)).toEqual({ events: wanted, held: 0 });
  });

  it('give the elements of a list that is too long to be kept as they come', () => {
    const elements = Array.from({ length: 50 }, (_, index) => `{"n":${index}}`);
    for (const open of ['{"records":[', '[', '{"status":"success","data":{"result":[{"stream":{},"values":[']) {
      const isLoki = open.includes('values');
      const all = isLoki ? elements.map((one) => `[${one}]`) : elements;
      const { events, held } = eventsOf(
        [open, ...all.map((one, index) => (index < 49 ? `${one},` : one)), isLoki ? ']}]}}' : open === '[' ? ']' : ']}'],
        { maxSize: 60 },
      );
      expect(held).toBe(0);
      expect(events).toEqual(all.map((text, index) => ['element', text, [index + 1]]));
    }
  });

  it('leave out an element that is too long, and go on', () => {
    const { events, held } = eventsOf(['[', '{"a":', `"${'x'.repeat(200)}",`, '"b":1},', '{"c":3}]'], { maxSize: 100 });
    expect(events).toEqual([
      ['line_too_long', '', [1]],
      ['element', '{"c":3}', [4]],
    ]);
    expect(held).toBe(0);
  });

  it('leave out a value that is too long', () => {
    const { events, held } = eventsOf(['{"a":', `"${'x'.repeat(200)}"`, '}', '{', '}'], { maxSize: 100 });
    expect(events).toEqual([
      ['line_too_long', '', [0]],
      ['whole of 0', '{}', [3, 4]],
    ]);
    expect(held).toBe(0);
  });

  it('of a line in pieces are the same wherever it is cut', () => {
    const line = String.raw`[{"a":"\"x\\","b":[1,22,{"c":null}]},{"d":-12.5e3,"e":"ü"} , {"f":true}]`;
    const wanted = ['{"a":"\\"x\\\\","b":[1,22,{"c":null}]}', '{"d":-12.5e3,"e":"ü"}', '{"f":true}'];
    for (let pieces = 1; pieces < line.length; pieces++) {
      const { events, held } = eventsOf([line], { pieces });
      expect(events.filter(([what]) => what !== 'line')).toEqual(wanted.map((text) => ['element', text, [0]]));
      expect(held).toBe(0);
    }
  });

  it('never lose count of the lines they hold, whatever is pushed', () => {
    const tokens = ['{', '}', '[', ']', ',', ':', '"a"', '"records"', '1', 'x', '{"a":1}', '"', 'null'];
    let state = 1;
    const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 3000; round++) {
      const lines = Array.from({ length: random(8) + 1 }, () =>
        Array.from({ length: random(6) + 1 }, () => tokens[random(tokens.length)]).join(''),
      );
      const { held } = eventsOf(lines, { maxSize: 5 + random(40), pieces: random(3) === 0 ? 3 : Infinity });
      expect(held, JSON.stringify(lines)).toBe(0);
    }
  });
});

describe('a line', () => {
  it.each([
    ['[{"a":1},{"b":[2]}]', ['{"a":1}', '{"b":[2]}']],
    ['{"events":[{"a":1}],"next":null}', ['{"a":1}']],
    ['{"a":1}{"b":2}', ['{"a":1}', '{"b":2}']],
    ['{"results":[[{"field":"a"}],[{"field":"b"}]]}', ['[{"field":"a"}]', '[{"field":"b"}]']],
    ['{"resourceLogs":[{"a":1},{"b":2}]}', ['{"resourceLogs":[{"a":1}]}', '{"resourceLogs":[{"b":2}]}']],
    ['{"a":1}', undefined],
    ['[1,2]', undefined],
    ['text', undefined],
  ])('%s lists %j', (line, wanted) => {
    expect(elementsOf(line)).toEqual(wanted);
  });
});
