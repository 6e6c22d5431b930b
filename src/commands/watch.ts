// A live pipe: a line when a storm starts, and a line when it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as messages from '../messages.ts';
import type { Storm } from '../findings/findings.ts';
import type { StormEvent } from '../nightly/watch.ts';
import { INPUT_FLAGS, inputsOf, readInputFlags } from './analysis.ts';
import { defineCommand } from './command.ts';
import { interruptible } from './interrupt.ts';
import { print } from './output.ts';
import { printNote, printProgress, printWarning } from './stderr.ts';
import { readDuration, readSize } from './values.ts';

const FORMATS = ['text', 'ndjson'] as const;

export const watch = defineCommand({
  operands: '[FILES…]',
  about: [
    'Keeps the requests of the last minutes in memory, and of older ones those on which a verdict may still depend; at its end it has told the storms that a report on the same lines tells. A storm ends when its client has been silent for --session-gap, in the time of the log.',
    'Exit code: 0 the pipe ended, 1 a --fail-on limit was crossed (watching stops there), 2 the work could not be done.',
  ],
  flags: {
    format: { value: 'FORMAT', describe: 'text, or one JSON object a line (default text)', choices: FORMATS },
    window: { value: 'TIME', describe: 'how long every request is held (default 15m)' },
    every: { value: 'TIME', describe: 'least time between two looks at what came in (default 5s)' },
    'fail-on': {
      value: 'LIMIT',
      describe: "leave with 1 once so many storms have started: 'storms>0', 'path_guessing>=2'",
      repeat: true,
    },
    exec: { value: 'PROGRAM', describe: 'run this in the shell for each line, with the JSON object on its standard input' },
    memory: { value: 'SIZE', describe: 'memory for the engine before it uses the disk (default 224MB)' },
    ...INPUT_FLAGS,
  },
  thresholds: true,
  examples: [
    ['tail -F access.log | stormgate watch --endpoint /mcp', 'watch a log'],
    ["kubectl logs -f deploy/mcp | stormgate watch --format ndjson --exec './page-somebody'", 'act on each storm'],
  ],
  async run({ flags, operands, settings }) {
    const { crossedLimits, readLimit } = await import('./limits.ts');
    const { STORM_KINDS } = await import('../findings/findings.ts');
    const { watchStream } = await import('../nightly/watch.ts');
    const { listSettings } = await import('../store/steps.ts');
    const figures = {
      storms: (storms: readonly Storm[]) => storms.length,
      ...Object.fromEntries(
        STORM_KINDS.map((kind) => [kind, (storms: readonly Storm[]) => storms.filter((storm) => storm.kind === kind).length]),
      ),
    };
    const limits = flags['fail-on'].map((text) => readLimit(text, figures));
    const inputs = inputsOf(operands);
    const input = await readInputFlags(flags);
    const gap = settings['session_gap_s'] ?? Number(listSettings().find(({ name }) => name === 'session_gap_s')?.default);
    const interrupt = interruptible();
    const stop = new AbortController();
    const started: Storm[] = [];
    let crossed: string[] = [];
    const isShown = process.stderr.isTTY && !flags.quiet;
    try {
      await watchStream({
        ...input,
        inputs,
        settings,
        windowMs: flags.window === undefined ? 900_000 : readDuration('window', flags.window),
        everyMs: flags.every === undefined ? 5000 : readDuration('every', flags.every),
        sessionGapMs: gap * 1000,
        database: { memory: flags.memory === undefined ? undefined : readSize('memory', flags.memory) },
        abort: AbortSignal.any([interrupt.signal, stop.signal]),
        onWarning: flags.quiet ? undefined : printWarning,
        onLook: isShown ? ({ requests, storms }) => printProgress(messages.watching(requests, storms)) : undefined,
        async onEvent(event) {
          if (event.event === 'start') started.push(event.storm);
          await print(flags.format === 'ndjson' ? inJson(event) : await inText(event));
          if (flags.exec !== undefined) await execute(flags.exec, inJson(event));
          crossed = crossedLimits(started, limits, figures);
          if (crossed.length > 0) stop.abort();
        },
      });
    } finally {
      interrupt.end();
      printProgress('');
    }
    crossed.forEach(printNote);
    return crossed.length > 0 ? 1 : 0;
  },
});

function inJson({ event, at, storm }: StormEvent): string {
  return `${JSON.stringify({ event, at, ...storm })}\n`;
}

async function inText({ event, at, storm }: StormEvent): Promise<string> {
  const { escapeTerminal } = await import('../report/escape.ts');
  return messages.stormEvent(event, at, { ...storm, client: escapeTerminal(storm.client) });
}

/** A program that fails is a warning: the next storm matters more. */
async function execute(program: string, text: string): Promise<void> {
  const child = spawn('sh', ['-c', program], { stdio: ['pipe', 2, 2] });
  child.stdin?.on('error', () => undefined).end(text);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0) printWarning(`${messages.cannotNotify(program)}: ${messages.endedWith(code, signal)}`);
}
