// One analysis in the report formats that a call asks for.
import { extname, resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import type { Findings } from '../findings/findings.ts';
import type { Analysis } from '../ingest/run.ts';
import * as messages from '../messages.ts';
import type { RenderOptions } from '../report/renderer.ts';
import type { OutputFormat } from '../report/renderers.ts';
import { defineFlags, type Values } from './command.ts';
import { unknownName } from './nearest.ts';
import { print, writeWhole } from './output.ts';
import { programVersion } from './version.ts';

const GROUP = 'What comes out';

// Spelt out because help must not load the renderers; the type keeps it complete.
const FORMATS = Object.keys({ text: 0, json: 0, ndjson: 0, csv: 0, markdown: 0, html: 0 } satisfies Record<OutputFormat, 0>);

export const REPORT_FLAGS = defineFlags({
  format: { value: 'FORMAT', describe: 'format on standard output (default text)', choices: FORMATS, group: GROUP },
  output: {
    value: 'FILE',
    alias: 'o',
    describe: 'write a file, its format told by its extension; without --format, nothing goes to standard output then',
    repeat: true,
    group: GROUP,
  },
  'no-color': { describe: 'no colour on the terminal; NO_COLOR in the environment does the same', group: GROUP },
});

export interface Report {
  readonly format: OutputFormat;
  /** Absolute; undefined for standard output. */
  readonly path: string | undefined;
  readonly options: Partial<RenderOptions>;
}

/** Returns the reports that the flags ask for: files first, so that a reader who leaves early takes nothing from them. */
export async function reportsOf(flags: Values<typeof REPORT_FLAGS>): Promise<Report[]> {
  const { maybeFormatOf, renderers } = await import('../report/renderers.ts');
  const files = flags.output.map((name): Report => {
    const format = maybeFormatOf(name);
    if (format === undefined) {
      const extensions = Object.values(renderers).flatMap((renderer) =>
        [...renderer.extensions].map((extension) => `.${extension}`),
      );
      throw unknownName(messages.reportExtension(name), extname(name), extensions);
    }
    return { format, path: resolve(name), options: {} };
  });
  const twice = files.find(({ path }, index) => files.findIndex((file) => file.path === path) < index);
  if (twice?.path !== undefined) throw new UsageError(messages.outputTwice(twice.path));
  if (files.length > 0 && flags.format === undefined) return files;
  const format = (flags.format ?? 'text') as OutputFormat;
  return [...files, { format, path: undefined, options: terminalOptions(flags['no-color'], process.env) }];
}

/** Writes the reports and returns the findings that they tell. */
export async function writeReports(analysis: Analysis, reports: readonly Report[]): Promise<Findings> {
  const { render, renderers } = await import('../report/renderers.ts');
  const findings = await analysis.findings({ generatedAt: generatedAt(process.env['SOURCE_DATE_EPOCH']), version: programVersion() });
  const series = reports.some(({ format }) => renderers[format].hasCharts) ? await analysis.series() : null;
  for (const { format, path, options } of reports) {
    const text = await render(format, findings, { ...options, series });
    await (path === undefined ? print(text) : writeWhole(path, text));
  }
  return findings;
}

function terminalOptions(isPlain: boolean, env: NodeJS.ProcessEnv): Partial<RenderOptions> {
  const { isTTY = false, columns } = process.stdout;
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || 'UTF-8';
  return {
    color: isTTY && !isPlain && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    ascii: isTTY && !/utf-?8/i.test(locale),
    ...(isTTY && columns > 0 ? { width: columns } : {}),
  };
}

/** Returns the moment that a report bears: now, or the seconds of SOURCE_DATE_EPOCH, with which two runs give the same bytes. */
function generatedAt(epoch: string | undefined): string {
  return (epoch !== undefined && /^\d{1,11}$/.test(epoch) ? new Date(Number(epoch) * 1000) : new Date()).toISOString();
}
