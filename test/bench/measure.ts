// Runs programs and says how long they took and how much memory they held.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';

export interface Cost {
  seconds: number;
  /** Largest resident set; null for programs that are not ours. */
  megabytes: number | null;
  output: string;
}

/** Loaded into a Node program, writes its largest resident set (in KiB) to descriptor 3 when it ends; worker threads stay silent. */
const REPORT_MEMORY = `data:text/javascript,${encodeURIComponent(`
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
if (isMainThread) process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)));
`)}`;

/** Runs a program to its end; its standard output goes to a file if one is named. Throws if it fails. */
export async function costOf(command: string, args: readonly string[], outputFile?: string): Promise<Cost> {
  const output = outputFile === undefined ? 'pipe' : openSync(outputFile, 'w');
  const start = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', output, 'pipe', 'pipe'] });
  const [text, complaints, memory] = [child.stdout, child.stderr, child.stdio[3] as Readable].map(collect) as [Text, Text, Text];
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  const seconds = (performance.now() - start) / 1000;
  if (typeof output === 'number') closeSync(output);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${complaints.text.slice(-2000)}`);
  return { seconds, megabytes: memory.text === '' ? null : Number(memory.text) / 1024, output: text.text };
}

/** Runs a Node program and measures its memory too. */
export function costOfNode(args: readonly string[], outputFile?: string): Promise<Cost> {
  return costOf(process.execPath, ['--import', REPORT_MEMORY, ...args], outputFile);
}

interface Text {
  text: string;
}

function collect(stream: Readable | null): Text {
  const collected = { text: '' };
  stream?.setEncoding('utf8').on('data', (piece: string) => {
    collected.text += piece;
  });
  return collected;
}

/** Returns the middle value, of an even number of values the lower one of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}
