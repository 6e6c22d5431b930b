#!/usr/bin/env node
// The list of commands. Each is loaded when it is called, so that help and a misspelt name are answered at once.
import type { Commands } from './commands/command.ts';
import { runProgram } from './commands/program.ts';

const COMMANDS: Commands = {
  report: {
    summary: 'Say which clients did not take no for an answer, and what a refusal gate would have spared',
    load: async () => (await import('./commands/report.ts')).report,
  },
  compare: {
    summary: 'Say which storms are gone, new or still there between two logs or reports',
    load: async () => (await import('./commands/compare.ts')).compare,
  },
  classify: {
    summary: 'Tag each request of a log with its kind, as NDJSON, line by line',
    load: async () => (await import('./commands/classify.ts')).classify,
  },
  query: {
    summary: 'Print a table behind the report, or the answer to SQL of your own',
    load: async () => (await import('./commands/query.ts')).query,
  },
  explain: {
    summary: 'Say which rule judges an answer, from where it comes, and what to do',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  nightly: {
    summary: 'Report on each night from logs that rotate: what is new, what came back, what is unusual',
    load: async () => (await import('./commands/nightly.ts')).nightly,
  },
  watch: {
    summary: 'Say when a storm starts and when it ends, on a pipe that does not end',
    load: async () => (await import('./commands/watch.ts')).watch,
  },
  schedule: {
    summary: 'Print a timer for nightly runs: systemd, cron, launchd or Kubernetes',
    load: async () => (await import('./commands/schedule.ts')).schedule,
  },
  formats: {
    summary: 'List the log formats that are understood, with samples',
    load: async () => (await import('./commands/formats.ts')).formats,
  },
  demo: {
    summary: 'Report on a log that is shipped with the program',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  completion: {
    summary: 'Print a script that completes commands, flags and names in your shell',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
};

process.exitCode = await runProgram(process.argv.slice(2), COMMANDS);
