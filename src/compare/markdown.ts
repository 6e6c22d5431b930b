// The comparison for pull requests and chat.
import { escapeMarkdown, toMarkdownCode } from '../report/escape.ts';
import { line, table } from '../report/markdown-table.ts';
import { write } from '../report/phrase.ts';
import type { Renderer } from '../report/renderer.ts';
import type { Comparison, StormSide } from './comparison.ts';
import { answer, change, figureName, perThousand, sideCounts, sideWindow, stormClient } from './facts.ts';

const LIMIT = 40;

const ofSide = (side: StormSide | null): string => (side === null ? '–' : perThousand(side.requests));

function render({ before, after, figures, storms, caveats, ...rest }: Comparison): string {
  const sides = [
    ['', 'before', 'after'],
    ['input', toMarkdownCode(before.name), toMarkdownCode(after.name)],
    ['time', sideWindow(before), sideWindow(after)],
    ['counted', sideCounts(before), sideCounts(after)],
  ] as const;
  const more = storms.length - LIMIT;
  const lines = [
    `**${answer({ before, after, figures, storms, caveats, ...rest })}**`,
    '',
    line(sides[0]),
    '| --- | --- | --- |',
    ...sides.slice(1).map(line),
    '',
    '### Per thousand requests',
    '',
    ...table(
      [
        ['figure', 'left'],
        ['before', 'right'],
        ['after', 'right'],
        ['change', 'right'],
      ],
      figures.map((row) => [figureName(row), perThousand(row.before), perThousand(row.after), change(row.before, row.after)]),
    ),
    ...(storms.length === 0 ? [] : ['', '### Storms, requests per thousand', '']),
    ...(storms.length === 0
      ? []
      : table(
          [
            ['state', 'left'],
            ['kind', 'left'],
            ['client', 'left'],
            ['before', 'right'],
            ['after', 'right'],
          ],
          storms
            .slice(0, LIMIT)
            .map((storm) => [
              storm.state === 'new' ? '**new**' : storm.state,
              `\`${storm.kind}\``,
              write(stormClient(storm), toMarkdownCode),
              ofSide(storm.before),
              ofSide(storm.after),
            ]),
        )),
    ...(more > 0 ? ['', `…and ${more} more.`] : []),
    ...(caveats.length === 0 ? [] : ['', '### Read with care', '', ...caveats.map(({ note }) => `- ${escapeMarkdown(note)}`)]),
    '',
    `<sub>stormgate ${escapeMarkdown(rest.tool.version)}, ${escapeMarkdown(rest.generated_at)}</sub>`,
  ];
  return `${lines.join('\n')}\n`;
}

export const markdown: Renderer<Comparison> = {
  title: 'for pull requests and chat',
  extensions: ['md', 'markdown'],
  hasCharts: false,
  render,
};
