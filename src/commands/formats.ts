// Which log formats are understood, and what their lines look like.
import { UsageError } from '../errors.ts';
import * as messages from '../messages.ts';
import { FORMAT_NAMES, type FormatName } from '../record.ts';
import { INPUT_FLAGS } from './analysis.ts';
import { defineCommand, type Values } from './command.ts';
import { readLogFormats } from './log-formats.ts';
import { unknownName } from './nearest.ts';
import { print } from './output.ts';
import { printWarning } from './stderr.ts';
import { readZone } from './values.ts';
import { escapeTerminal } from '../report/escape.ts';

const DETECT_FLAGS = {
  detect: {
    value: 'FILE',
    describe: 'say what a log is: its format, what wraps it, what its fields give, and what would make it more telling',
    repeat: true,
  },
  'log-format': INPUT_FLAGS['log-format'],
  'log-format-from': INPUT_FLAGS['log-format-from'],
  tz: INPUT_FLAGS.tz,
} as const;

export const formats = defineCommand({
  operands: '[FORMAT…]',
  about: [
    'Without a name all formats are listed. With names their sample lines are printed, which can be piped back into stormgate.',
  ],
  flags: DETECT_FLAGS,
  examples: [
    ['stormgate formats', 'list the formats'],
    ['stormgate formats combined', 'show lines of one of them'],
    ['stormgate formats combined | stormgate', 'and how they are read'],
    ['stormgate formats --detect access.log', 'what a log is told to be'],
  ],
  async run({ flags, operands }) {
    if (flags.detect.length > 0) {
      if (operands[0] !== undefined)
        throw new UsageError(messages.unexpectedOperand(operands[0]), { help: messages.seeHelp('formats') });
      await detect(flags);
      return 0;
    }
    const names = operands.map((name) => {
      if (!FORMAT_NAMES.includes(name as FormatName)) throw unknownName('log format', name, FORMAT_NAMES);
      return name as FormatName;
    });
    const { FORMATS } = await import('../formats/index.ts');
    const width = Math.max(...FORMAT_NAMES.map((name) => name.length));
    const listing = FORMAT_NAMES.map((name) =>
      messages.formatListed(name.padEnd(width), FORMATS[name].title, FORMATS[name].spec),
    );
    const samples = names.flatMap((name) => FORMATS[name].samples.map(({ line }) => escapeTerminal(line)));
    await print(`${(names.length === 0 ? listing : samples).join('\n')}\n`);
    return 0;
  },
});

async function detect(flags: Values<typeof DETECT_FLAGS>): Promise<void> {
  const { logFormat, described } = await readLogFormats(flags['log-format'], flags['log-format-from'], printWarning);
  const timeZone = flags.tz === undefined ? 'UTC' : readZone(flags.tz);
  const { detectSources } = await import('../ingest/detect-source.ts');
  const request = { inputs: flags.detect, logFormat, described, timeZone, onWarning: printWarning };
  for await (const detection of detectSources(request)) {
    const text = messages.detection(detection, timeZone);
    await print(`${text.split('\n').map(escapeTerminal).join('\n')}\n`);
  }
}
