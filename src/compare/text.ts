// The comparison on a terminal.
import { escapeTerminal } from '../report/escape.ts';
import { table, wrap, type Column } from '../report/layout.ts';
import { SGR } from '../report/palette.ts';
import { write } from '../report/phrase.ts';
import type { Renderer } from '../report/renderer.ts';
import { heading, penOf, toAscii, type Pen } from '../report/pen.ts';
import type { Comparison, FigureChange, SideSummary, StormChange, StormSide } from './comparison.ts';
import { answer, change, figureName, perThousand, sideCounts, sideWindow, stormClient } from './facts.ts';

const LIMIT = 40;

const rateOf = (of: StormSide | null, which: 'requests' | 'avoidable'): string => (of === null ? '–' : perThousand(of[which]));

const STORM_COLUMNS: readonly Column<StormChange>[] = [
  { title: 'state', cell: (storm) => storm.state },
  { title: 'kind', shrinks: true, cell: (storm) => storm.kind },
  { title: 'client', shrinks: true, cell: (storm) => write(stormClient(storm), escapeTerminal) },
  { title: 'before', side: 'right', cell: (storm) => rateOf(storm.before, 'requests') },
  { title: 'after', side: 'right', cell: (storm) => rateOf(storm.after, 'requests') },
];

const FIGURE_COLUMNS: readonly Column<FigureChange>[] = [
  { title: 'figure', shrinks: true, cell: figureName },
  { title: 'before', side: 'right', cell: ({ before }) => perThousand(before) },
  { title: 'after', side: 'right', cell: ({ after }) => perThousand(after) },
  { title: 'change', side: 'right', cell: ({ before, after }) => change(before, after) },
];

const gap = (pen: Pen): number => (pen.size < 60 ? 1 : 2);

const STATE_SGR = { new: SGR.bad, unchanged: SGR.strong, gone: SGR.quiet } as const;

function side(label: string, summary: SideSummary, pen: Pen): string[] {
  const lines = [escapeTerminal(summary.name), sideWindow(summary), sideCounts(summary)];
  const [first = '', ...rest] = lines.flatMap((line) => wrap(line, pen.size - 10));
  return [`  ${label.padEnd(8)}${first}`, ...rest.map((line) => ' '.repeat(10) + line)];
}

function figures({ figures: rows }: Comparison, pen: Pen): string[] {
  const [head = '', ...body] = table(rows, FIGURE_COLUMNS, pen.size - 2, gap(pen));
  return [...heading('per thousand requests', '', pen), `  ${pen.paint(SGR.quiet, head)}`, ...body.map((line) => `  ${line}`)];
}

function storms({ storms: all }: Comparison, pen: Pen): string[] {
  if (all.length === 0) return [];
  const rows = all.slice(0, LIMIT);
  const [head = '', ...body] = table(rows, STORM_COLUMNS, pen.size - 2, gap(pen));
  const more = all.length - rows.length;
  return [
    ...heading('storms', 'requests per thousand', pen),
    `  ${pen.paint(SGR.quiet, head)}`,
    ...body.map((line, i) => `  ${pen.paint(STATE_SGR[rows[i]?.state ?? 'gone'], line)}`),
    ...(more > 0 ? [`  and ${more} more (all of them: --format json)`] : []),
  ];
}

function caveats({ caveats: all }: Comparison, pen: Pen): string[] {
  const lines = all.flatMap(({ note }) => wrap(note, pen.size - 4).map((line, i) => `${i === 0 ? '  · ' : '    '}${line}`));
  return lines.length === 0 ? [] : [...heading('read with care', '', pen), ...lines];
}

export const text: Renderer<Comparison> = {
  title: 'for reading on a terminal',
  extensions: ['txt', 'text'],
  hasCharts: false,
  render(comparison, options) {
    const pen = penOf(options);
    const lines = [
      ...wrap(answer(comparison), pen.size).map((line) => pen.paint(SGR.strong, line)),
      '',
      ...side('before', comparison.before, pen),
      ...side('after', comparison.after, pen),
      ...figures(comparison, pen),
      ...storms(comparison, pen),
      ...caveats(comparison, pen),
    ];
    return toAscii(`${lines.join('\n')}\n`, options);
  },
};
