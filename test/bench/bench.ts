// How fast and how large stormgate is, next to its peers and to the bars it promised: `npm run bench [-- --quick] [--lines N] [--runs N] [--save]`.
// Peers run in the same run and in turn with stormgate, so that a slow moment of the machine meets all of them.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { keptTraffic, USUAL_TRAFFIC, type Shape } from './generate.ts';
import { costOf, costOfNode, median, type Cost } from './measure.ts';

interface Figure {
  name: string;
  ours: string;
  peer: string;
  ratio: string;
  bar: string;
  verdict: 'pass' | 'falls short' | '';
}

type Run = () => Promise<Cost>;

const HERE = fileURLToPath(new URL('.', import.meta.url));
const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const ANSWER = join(tmpdir(), `stormgate-bench-${process.pid}.json`);
const FULL_LINES = 3_000_000;
const GOACCESS_BARS = { combined: 8, json: 6 } as const;
const MEMORY_BAR_MB = 600;
const GROWTH_BAR = 1.2;
const HELP_BAR_S = 0.15;

const GOACCESS_FORMATS: Record<Shape, string[]> = {
  combined: ['--log-format=COMBINED'],
  json: [
    '--log-format={"time_iso8601":"%dT%t+%^","remote_addr":"%h","request_method":"%m","request_uri":"%U","status":"%s","body_bytes_sent":"%b","request_time":"%T","http_user_agent":"%u"}',
    '--date-format=%Y-%m-%d',
    '--time-format=%H:%M:%S',
  ],
};

function stormgate(file: string): Promise<Cost> {
  return costOfNode([CLI, 'report', file, '--format', 'json'], ANSWER);
}

function goaccess(shape: Shape, file: string): Promise<Cost> {
  return costOf('goaccess', [file, '--no-global-config', '--no-progress', ...GOACCESS_FORMATS[shape], '-o', ANSWER]);
}

/** DuckDB counts its own seconds, so the start of its process is not held against it. */
async function duckdbLoad(shape: Shape, file: string): Promise<Cost> {
  const cost = await costOf(process.execPath, ['--import', 'tsx', join(HERE, 'duckdb-load.ts'), shape, file]);
  return { ...cost, seconds: (JSON.parse(cost.output) as { seconds: number }).seconds };
}

/** Returns what the first line of `--version` says, or undefined if the program is not there. */
function versionOf(program: string): string | undefined {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8' }).split('\n', 1)[0];
  } catch {
    return undefined;
  }
}

/** Runs all of them in turn, several times, and returns the costs of each. */
async function inTurn(runs: number, contestants: readonly Run[]): Promise<Cost[][]> {
  const costs = contestants.map((): Cost[] => []);
  for (let run = 0; run < runs; run += 1) {
    for (const [index, contestant] of contestants.entries()) costs[index]?.push(await contestant());
  }
  return costs;
}

function secondsOf(costs: readonly Cost[] | undefined): number {
  return median((costs ?? []).map(({ seconds }) => seconds));
}

function megabytesOf(costs: readonly Cost[] | undefined): number {
  return median((costs ?? []).map(({ megabytes }) => megabytes ?? Number.NaN));
}

function inSeconds(value: number): string {
  return `${value.toFixed(2)} s`;
}

function speedFigure(name: string, ours: number, peer: number, bar: number | null): Figure {
  const ratio = peer / ours;
  return {
    name,
    ours: inSeconds(ours),
    peer: inSeconds(peer),
    ratio: `${ratio.toFixed(2)} x`,
    bar: bar === null ? 'none' : bar === 1 ? 'faster' : `at least ${bar} x`,
    verdict: bar === null ? '' : verdict(ratio >= bar),
  };
}

function verdict(holds: boolean): Figure['verdict'] {
  return holds ? 'pass' : 'falls short';
}

async function compareShape(
  shape: Shape,
  lines: number,
  runs: number,
  hasGoaccess: boolean,
): Promise<{ figures: Figure[]; megabytes: number }> {
  const file = keptTraffic({ shape, lines, ...USUAL_TRAFFIC });
  const contestants: Run[] = [() => stormgate(file), () => duckdbLoad(shape, file)];
  if (hasGoaccess) contestants.push(() => goaccess(shape, file));
  const [ours, duckdb, theirs] = await inTurn(runs, contestants);
  const isCombined = shape === 'combined';
  const figures = [
    speedFigure(
      `${shape} vs DuckDB ${isCombined ? 'regexp_extract' : 'read_ndjson'}`,
      secondsOf(ours),
      secondsOf(duckdb),
      isCombined ? 1 : null,
    ),
  ];
  if (theirs !== undefined)
    figures.unshift(speedFigure(`${shape} vs GoAccess`, secondsOf(ours), secondsOf(theirs), GOACCESS_BARS[shape]));
  const megabytes = megabytesOf(ours);
  figures.push({
    name: `${shape} peak memory`,
    ours: `${megabytes.toFixed(0)} MB`,
    peer: '',
    ratio: '',
    bar: `below ${MEMORY_BAR_MB} MB`,
    verdict: verdict(megabytes < MEMORY_BAR_MB),
  });
  return { figures, megabytes };
}

async function growthFigure(lines: number, megabytes: number): Promise<Figure> {
  const file = keptTraffic({ shape: 'combined', lines: lines * 4, ...USUAL_TRAFFIC });
  const larger = (await stormgate(file)).megabytes ?? Number.NaN;
  const growth = larger / megabytes;
  return {
    name: `combined memory at ${count(lines * 4)} lines`,
    ours: `${larger.toFixed(0)} MB`,
    peer: '',
    ratio: `${growth.toFixed(2)} x`,
    bar: `below ${GROWTH_BAR} x`,
    verdict: verdict(growth < GROWTH_BAR),
  };
}

async function helpFigure(): Promise<Figure> {
  const [costs] = await inTurn(7, [() => costOf(process.execPath, [CLI, '--help'])]);
  const time = secondsOf(costs);
  return {
    name: '--help',
    ours: `${(time * 1000).toFixed(0)} ms`,
    peer: '',
    ratio: '',
    bar: `below ${HELP_BAR_S * 1000} ms`,
    verdict: verdict(time < HELP_BAR_S),
  };
}

function count(value: number): string {
  return value.toLocaleString('en').replaceAll(',', ' ');
}

function table(figures: readonly Figure[]): string {
  const header: Record<keyof Figure, string> = {
    name: 'figure',
    ours: 'stormgate',
    peer: 'peer',
    ratio: 'ratio',
    bar: 'bar',
    verdict: 'verdict',
  };
  const columns = Object.keys(header) as (keyof Figure)[];
  const rows = [header, ...figures];
  const widths = columns.map((column) => Math.max(...rows.map((row) => row[column].length)));
  const text = rows.map((row) => `| ${columns.map((column, index) => row[column].padEnd(widths[index] ?? 0)).join(' | ')} |`);
  text.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  return text.join('\n');
}

function machine(goaccessVersion: string | undefined, lines: number, runs: number): string {
  const processors = cpus();
  return [
    `${processors[0]?.model ?? 'unknown processor'}, ${processors.length} cores, ${(totalmem() / 1024 ** 3).toFixed(0)} GB, ${process.platform} ${process.arch}`,
    `Node ${process.version}, ${duckdbVersion()}, ${goaccessVersion ?? 'GoAccess is not on PATH: not compared'}`,
    `${count(lines)} lines a log, medians of ${runs} ${runs === 1 ? 'run' : 'runs'}, contestants in turn; from bytes to finished JSON report, process start included`,
  ].join('\n');
}

function duckdbVersion(): string {
  const require = `import d from '@duckdb/node-api'; console.log(d.version())`;
  return `DuckDB ${execFileSync(process.execPath, ['--input-type=module', '-e', require], { cwd: HERE, encoding: 'utf8' }).trim()}`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      lines: { type: 'string' },
      runs: { type: 'string' },
      save: { type: 'boolean', default: false },
    },
  });
  const lines = Number(values.lines ?? (values.quick ? 150_000 : FULL_LINES));
  const runs = Number(values.runs ?? (values.quick ? 1 : 3));
  const goaccessVersion = versionOf('goaccess');
  const figures = [await helpFigure()];
  const combined = await compareShape('combined', lines, runs, goaccessVersion !== undefined);
  const json = await compareShape('json', lines, runs, goaccessVersion !== undefined);
  figures.push(...combined.figures, ...json.figures, await growthFigure(lines, combined.megabytes));
  const note =
    lines === FULL_LINES
      ? ''
      : `\nThe bars are set for ${count(FULL_LINES)} lines; at ${count(lines)} the verdicts are a hint.\n`;
  const text = `${machine(goaccessVersion, lines, runs)}\n${note}\n${table(figures)}\n`;
  process.stdout.write(text);
  if (values.save) writeFileSync(join(HERE, 'results.md'), `# Bench\n\nWritten by \`npm run bench -- --save\`.\n\n${text}`);
}

try {
  await main();
} finally {
  rmSync(ANSWER, { force: true });
}
