// Which log formats are understood, and what their lines look like.
import * as messages from '../messages.ts';
import { FORMAT_NAMES, type FormatName } from '../record.ts';
import { defineCommand } from './command.ts';
import { unknownName } from './nearest.ts';
import { print } from './output.ts';
import { escapeTerminal } from '../report/escape.ts';

export const formats = defineCommand({
  operands: '[FORMAT…]',
  about: [
    'Without a name all formats are listed. With names their sample lines are printed, which can be piped back into stormgate.',
  ],
  flags: {},
  examples: [
    ['stormgate formats', 'list the formats'],
    ['stormgate formats combined', 'show lines of one of them'],
    ['stormgate formats combined | stormgate', 'and how they are read'],
  ],
  async run({ operands }) {
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
