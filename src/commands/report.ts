// The main job: logs in, one report out, in as many forms as are asked for.
import * as messages from '../messages.ts';
import { ANALYSIS_FLAGS, analysisRequest, inputsOf, openAnalysis } from './analysis.ts';
import { defineCommand } from './command.ts';
import { crossedLimits, FIGURES, readLimit } from './limits.ts';
import { REPORT_FLAGS, reportsOf, writeReports } from './reports.ts';
import { printNote, printWarning } from './stderr.ts';

export const report = defineCommand({
  operands: '[FILES…]',
  about: [
    'Reads files, folders, quoted globs, .gz and standard input in one pass. What is declared is read from --contract documents; without them it is inferred from the log, and the report says so.',
    'Exit code: 0 done, 1 a --fail-on limit was crossed, 2 the work could not be done.',
  ],
  flags: {
    ...REPORT_FLAGS,
    'fail-on': {
      value: 'LIMIT',
      describe: "exit with 1 if a figure of the report crosses this limit: 'storms>0'",
      repeat: true,
      group: 'What comes out',
    },
    ...ANALYSIS_FLAGS,
  },
  thresholds: true,
  examples: [
    ['stormgate access.log access.log.1.gz', 'report on the terminal'],
    ['kubectl logs deploy/mcp | stormgate --endpoint /mcp', 'report on a pipe'],
    ['stormgate logs/ --contract agent-card.json -o review.html -o review.json', 'two files, nothing on standard output'],
    ["stormgate access.log --fail-on 'storms>0' --quiet", 'exit code 1 if there is a storm'],
  ],
  async run({ flags, operands, settings }) {
    const reports = await reportsOf(flags);
    const limits = flags['fail-on'].map((text) => readLimit(text, FIGURES));
    const request = await analysisRequest(inputsOf(operands), { flags, settings });
    const analysis = await openAnalysis(request, flags);
    try {
      const findings = await writeReports(analysis, reports);
      if (findings.requests.total === 0 && findings.inputs.some(({ records }) => records > 0))
        printWarning(messages.nothingChosen());
      const crossed = crossedLimits(findings, limits, FIGURES);
      crossed.forEach(printNote);
      return crossed.length > 0 ? 1 : 0;
    } finally {
      await analysis.close();
    }
  },
});
