// Runs the built program as users do, and writes down what came of it.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
export const PROGRAM = `${ROOT}/dist/cli.js`;

export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** What is piped in; nothing (an empty pipe) unless given. */
  stdin?: string;
  cwd?: string;
  env?: Record<string, string>;
}

/** The surroundings of every run: a zone far from UTC, no colour, no trace of the machine. */
export const ENVIRONMENT = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', TZ: 'Pacific/Auckland', LANG: 'C.UTF-8' };

/** Runs a command line and waits for its end. */
export function run(
  command: string,
  args: readonly string[],
  { stdin = '', cwd = ROOT, env = {} }: RunOptions = {},
): Promise<Run> {
  const child = spawn(command, args, { cwd, env: { ...ENVIRONMENT, ...env } });
  const result: Run = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (result.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (result.stderr += text));
  child.stdin.on('error', () => undefined).end(stdin);
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ ...result, code }));
  });
}

/** Runs stormgate. */
export function stormgate(args: readonly string[], options?: RunOptions): Promise<Run> {
  return run(process.execPath, [PROGRAM, ...args], options);
}

/** Returns a run as text, without what differs between machines, days and versions. */
export function transcript(
  args: readonly string[],
  { code, stdout, stderr }: Run,
  passing: Readonly<Record<string, string>> = {},
): string {
  const line = `$ stormgate ${args.map((arg) => (/^[\w./:=,-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ')}\n`;
  const text = `${line}--- exit code\n${code}\n--- stdout\n${stdout}--- stderr\n${stderr}`;
  const masked = Object.entries({ ...passing, [ROOT]: '<root>' }).reduce((all, [part, mask]) => all.replaceAll(part, mask), text);
  return masked
    .replaceAll(/"version": ?"\d+\.\d+\.\d+"/g, '"version":"<version>"')
    .replaceAll(/^\d+\.\d+\.\d+$/gm, '<version>')
    .replaceAll(/stormgate \d+\.\d+\.\d+/g, 'stormgate <version>')
    .replaceAll(/"generated_at": ?"[^"]+"/g, '"generated_at":"<now>"');
}
