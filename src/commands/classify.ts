// The filter: raw log in, one tagged request a line out, as it arrives.
import { INPUT_FLAGS, inputsOf, readInputFlags } from './analysis.ts';
import { defineCommand } from './command.ts';
import { print } from './output.ts';
import { printWarning } from './stderr.ts';

export const classify = defineCommand({
  operands: '[FILES…]',
  about: [
    'Each line of output is one request (schema stormgate.request/1). The output is an input format again: a report on it equals the report on the raw log.',
    'A filter cannot look ahead: it takes what is declared from --contract only, and infers nothing.',
  ],
  flags: INPUT_FLAGS,
  examples: [
    ['tail -F access.log | stormgate classify | grep protocol_not_supported', 'watch a log'],
    ['stormgate classify access.log.gz > tagged.ndjson', 'keep a tagged copy'],
  ],
  async run({ flags, operands }) {
    const inputs = inputsOf(operands);
    const input = await readInputFlags(flags);
    const { classifyStream } = await import('../ingest/run.ts');
    await classifyStream({ ...input, inputs, onWarning: flags.quiet ? undefined : printWarning }, print);
    return 0;
  },
});
