// Two logs, reports or kept databases side by side: did the fix work?
import { UsageError } from '../errors.ts';
import type { Comparison } from '../compare/comparison.ts';
import * as messages from '../messages.ts';
import { ANALYSIS_FLAGS } from './analysis.ts';
import { defineCommand } from './command.ts';
import { crossedLimits, readLimit, type Figures } from './limits.ts';
import { generatedAt, outputFlags, outputsOf, write } from './reports.ts';
import { openSide } from './sides.ts';
import { printNote } from './stderr.ts';
import { programVersion } from './version.ts';

// Both sides are analysed, and neither is kept.
const { db: _db, parquet: _parquet, rejects: _rejects, ...SIDE_FLAGS } = ANALYSIS_FLAGS;

const rateOf = (comparison: Comparison, name: string): number =>
  comparison.figures.find(({ figure }) => figure === name)?.after.per_thousand ?? 0;

/** Figures by name: storms by what became of them, then what is so after, per thousand requests. */
const FIGURES: Figures<Comparison> = {
  new_storms: ({ totals }) => totals.new_storms,
  unchanged_storms: ({ totals }) => totals.unchanged_storms,
  gone_storms: ({ totals }) => totals.gone_storms,
  storms: ({ after }) => after.storms,
  caveats: ({ caveats }) => caveats.length,
  refused_for_good: (comparison) => rateOf(comparison, 'refused_for_good'),
  throttled: (comparison) => rateOf(comparison, 'throttled'),
  transient: (comparison) => rateOf(comparison, 'transient'),
  storm_requests: (comparison) => rateOf(comparison, 'storm_requests'),
  avoidable_lower: (comparison) => rateOf(comparison, 'avoidable_lower'),
  avoidable: (comparison) => rateOf(comparison, 'avoidable'),
  harm: (comparison) => rateOf(comparison, 'harm'),
  overrun: (comparison) => rateOf(comparison, 'overrun'),
};

export const compare = defineCommand({
  operands: 'BEFORE AFTER',
  about: [
    'Each side is a log (a file, a folder or a quoted glob), a JSON report, or a database that an earlier run kept (--db). Storms are matched by client and kind; figures are rates per thousand requests of their own side.',
    'Exit code: 0 done, 1 a --fail-on limit was crossed, 2 the work could not be done.',
  ],
  flags: {
    ...outputFlags(['text', 'json', 'markdown', 'html']),
    'fail-on': {
      value: 'LIMIT',
      describe: "exit with 1 if a figure crosses this limit: 'new_storms>0', or a rate after: 'avoidable>0.5'",
      repeat: true,
      group: 'What comes out',
    },
    ...SIDE_FLAGS,
  },
  thresholds: true,
  examples: [
    ['stormgate compare monday.log tuesday.log', 'what changed, on the terminal'],
    ["stormgate compare before.json 'logs/today*' -o fix.html", 'an earlier report against the logs of today'],
    ["stormgate compare main.json branch.json --fail-on 'new_storms>0' --format markdown", 'for a pull request'],
  ],
  async run({ flags, operands, settings }) {
    const [before, after, extra] = operands;
    if (before === undefined || after === undefined)
      throw new UsageError(messages.missingOperand(before === undefined ? 'BEFORE' : 'AFTER'), {
        help: messages.seeHelp('compare'),
      });
    if (extra !== undefined) throw new UsageError(messages.unexpectedOperand(extra), { help: messages.quoteGlobs() });
    if (before === '-' && after === '-') throw new UsageError(messages.twoReadersOfStdin());
    const [{ compare: compareSides }, { renderers }] = await Promise.all([
      import('../compare/comparison.ts'),
      import('../compare/renderers.ts'),
    ]);
    const outputs = outputsOf(flags, renderers);
    const limits = flags['fail-on'].map((text) => readLimit(text, FIGURES));
    const stamp = { generatedAt: generatedAt(process.env['SOURCE_DATE_EPOCH']), version: programVersion() };
    const call = { flags: { ...flags, db: undefined, parquet: undefined, rejects: undefined }, settings };
    const comparison = compareSides(await openSide(before, call, stamp), await openSide(after, call, stamp), stamp);
    for (const output of outputs) await write(output, renderers, comparison);
    const crossed = crossedLimits(comparison, limits, FIGURES);
    crossed.forEach(printNote);
    return crossed.length > 0 ? 1 : 0;
  },
});
