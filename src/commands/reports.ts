// One analysis in the report formats that a call asks for.
import { extname, resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import type { Findings } from '../findings/findings.ts';
import type { Analysis } from '../ingest/run.ts';
import * as messages from '../messages.ts';
import type { ChartName } from '../report/charts/index.ts';
import type { TableName } from '../report/csv.ts';
import { DEFAULT_OPTIONS, maybeFormatIn, type Renderer, type RenderOptions } from '../report/renderer.ts';
import type { OutputFormat } from '../report/renderers.ts';
import { defineFlags, type Values } from './command.ts';
import { unknownName } from './nearest.ts';
import { print, writeWhole } from './output.ts';
import { programVersion } from './version.ts';

const GROUP = 'What comes out';

// Spelt out because help must not load the renderers; the types keep them complete.
const FORMATS = Object.keys({
  text: 0,
  json: 0,
  ndjson: 0,
  csv: 0,
  markdown: 0,
  html: 0,
  svg: 0,
  prometheus: 0,
  junit: 0,
} satisfies Record<OutputFormat, 0>);
const TABLES = Object.keys({
  storms: 0,
  targets: 0,
  findings: 0,
  kinds: 0,
  reasons: 0,
  statuses: 0,
  inputs: 0,
  rejects: 0,
} satisfies Record<TableName, 0>);
const CHARTS = Object.keys({
  timeline: 0,
  lanes: 0,
  path: 0,
  gate: 0,
  refusals: 0,
  gaps: 0,
  attempts: 0,
  stability: 0,
} satisfies Record<ChartName, 0>);

/** Returns the flags of a command that comes out in several formats. */
export function outputFlags(formats: readonly string[]) {
  return defineFlags({
    format: { value: 'FORMAT', describe: 'format on standard output (default text)', choices: formats, group: GROUP },
    output: {
      value: 'FILE',
      alias: 'o',
      describe: 'write a file, its format told by its extension; without --format, nothing goes to standard output then',
      repeat: true,
      group: GROUP,
    },
    'no-color': { describe: 'no colour on the terminal; NO_COLOR in the environment does the same', group: GROUP },
  });
}

export const REPORT_FLAGS = defineFlags({
  ...outputFlags(FORMATS),
  table: { value: 'NAME', describe: 'table that CSV writes (default storms)', choices: TABLES, group: GROUP },
  chart: { value: 'NAME', describe: 'chart that SVG draws (default timeline)', choices: CHARTS, group: GROUP },
});

export interface Output<Format extends string> {
  readonly format: Format;
  /** Absolute; undefined for standard output. */
  readonly path: string | undefined;
  readonly options: Partial<RenderOptions>;
}

export type Report = Output<OutputFormat>;

/** Returns the reports that the flags ask for. */
export async function reportsOf(flags: Values<typeof REPORT_FLAGS>): Promise<Report[]> {
  const { renderers } = await import('../report/renderers.ts');
  const table = (flags.table ?? 'storms') as TableName;
  const chart = (flags.chart ?? 'timeline') as ChartName;
  return outputsOf(flags, renderers, { table, chart });
}

/** Returns what the flags ask to be written: files first, so that a reader who leaves early takes nothing from them. */
export function outputsOf<Format extends string>(
  flags: Values<ReturnType<typeof outputFlags>>,
  renderers: Readonly<Record<Format, Pick<Renderer, 'extensions'>>>,
  chosen: Partial<RenderOptions> = {},
): Output<Format>[] {
  const files = flags.output.map((name): Output<Format> => {
    const format = maybeFormatIn(renderers, name);
    if (format === undefined) {
      const all = Object.values<Pick<Renderer, 'extensions'>>(renderers);
      const extensions = all.flatMap((renderer) => renderer.extensions.map((extension) => `.${extension}`));
      throw unknownName(messages.reportExtension(name), extname(name), extensions);
    }
    return { format, path: resolve(name), options: chosen };
  });
  const twice = files.find(({ path }, index) => files.findIndex((file) => file.path === path) < index);
  if (twice?.path !== undefined) throw new UsageError(messages.outputTwice(twice.path));
  if (files.length > 0 && flags.format === undefined) return files;
  const format = (flags.format ?? 'text') as Format;
  return [...files, { format, path: undefined, options: { ...chosen, ...terminalOptions(flags['no-color'], process.env) } }];
}

/** Renders a value and writes it where it is asked for. */
export async function write<T, Format extends string>(
  { format, path, options }: Output<Format>,
  renderers: Readonly<Record<Format, Renderer<T>>>,
  value: T,
): Promise<void> {
  const text = await renderers[format].render(value, { ...DEFAULT_OPTIONS, ...options });
  await (path === undefined ? print(text) : writeWhole(path, text));
}

/** Writes the reports and returns the findings that they tell. */
export async function writeReports(analysis: Analysis, reports: readonly Report[]): Promise<Findings> {
  const [{ renderers }, { inOrder }] = await Promise.all([import('../report/renderers.ts'), import('../report/order.ts')]);
  const findings = await analysis.findings({
    generatedAt: generatedAt(process.env['SOURCE_DATE_EPOCH']),
    version: programVersion(),
  });
  const series = reports.some(({ format }) => renderers[format].hasCharts) ? await analysis.series() : null;
  const ordered = inOrder(findings);
  for (const report of reports) await write({ ...report, options: { ...report.options, series } }, renderers, ordered);
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
export function generatedAt(epoch: string | undefined): string {
  return (epoch !== undefined && /^\d{1,11}$/.test(epoch) ? new Date(Number(epoch) * 1000) : new Date()).toISOString();
}
