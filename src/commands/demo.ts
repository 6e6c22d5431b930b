// The report on a story that travels with the program: what stormgate does, without a log of one's own.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../errors.ts';
import * as messages from '../messages.ts';
import { openAnalysis, readDocument } from './analysis.ts';
import { defineCommand } from './command.ts';
import { REPORT_FLAGS, reportsOf, writeReports } from './reports.ts';
import { printNote } from './stderr.ts';

const STORY = fileURLToPath(new URL('../../samples/stories/federation-24h', import.meta.url));

export const demo = defineCommand({
  operands: '',
  about: [
    'The log is made up: 24 hours of a federation of agents behind an MCP gateway. Three clients in it are told no. One stops, one guesses paths, one repeats a call that cannot work.',
  ],
  flags: REPORT_FLAGS,
  examples: [
    ['stormgate demo', 'the report as text'],
    ['stormgate demo -o demo.html', 'the report as a page'],
  ],
  async run({ flags, operands: [extra] }) {
    if (extra !== undefined) throw new UsageError(messages.unexpectedOperand(extra), { help: messages.seeHelp('demo') });
    const reports = await reportsOf(flags);
    printNote(messages.demo(STORY));
    // In the story's folder its files have short names, which is what the report shows.
    process.chdir(STORY);
    const names = readdirSync('.').toSorted();
    const documents = await Promise.all(names.filter((name) => name.endsWith('-card.json')).map(readDocument));
    const inputs = names.filter((name) => name.endsWith('.log'));
    const request = { inputs, documents, endpoints: [], infer: true, timeZone: 'UTC', settings: {}, database: {} };
    const analysis = await openAnalysis(request, { quiet: false, parquet: undefined });
    try {
      await writeReports(analysis, reports);
      return 0;
    } finally {
      await analysis.close();
    }
  },
});
