// Ctrl-C while reading: the first ends it, so that a report of an endless pipe is possible; the second ends the program.
import * as messages from '../messages.ts';
import { printNote } from './stderr.ts';

/** Returns a signal that aborts at the first Ctrl-C, until `end` gives Ctrl-C its usual meaning back. */
export function interruptible(): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(130);
    printNote(messages.stoppedReading());
    controller.abort();
  };
  process.on('SIGINT', interrupt);
  return { signal: controller.signal, end: () => process.off('SIGINT', interrupt) };
}
