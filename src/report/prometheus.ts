// The report as gauges in Prometheus' text format. Labels are closed lists of ours: no text of the log becomes a series.
import { FINDING_RULES, STORM_KINDS, type Findings } from '../findings/findings.ts';
import { KINDS, type Kind } from '../record.ts';
import { escapeLabel } from './escape.ts';
import type { Renderer } from './renderer.ts';

export interface Metric {
  /** Without the tool's prefix. */
  name: string;
  help: string;
  samples: readonly Sample[];
}

export interface Sample {
  labels?: Readonly<Record<string, string>>;
  value: number;
}

/** Returns metrics in the text format, all of them gauges. */
export function renderMetrics(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(renderMetric)
    .join('');
}

function renderMetric({ name, help, samples }: Metric): string {
  const lines = samples.map((sample) => `stormgate_${name}${labelsOf(sample)} ${sample.value}\n`);
  return `# HELP stormgate_${name} ${help}\n# TYPE stormgate_${name} gauge\n${lines.join('')}`;
}

function labelsOf({ labels = {} }: Sample): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const one = (value: number): Sample[] => [{ value }];
const each = <T extends string>(label: string, names: readonly T[], value: (name: T) => number): Sample[] =>
  names.map((name) => ({ labels: { [label]: name }, value: value(name) }));
const moment = (iso: string | null): Sample[] => (iso === null ? [] : one(Date.parse(iso) / 1000));

const SEVERITIES = ['high', 'medium', 'low', 'info'] as const;

/** Returns what a report says as metrics. A level that the log does not reveal has its own gauge, so that a zero can be told from nothing seen. */
export function reportMetrics(findings: Findings): Metric[] {
  const { requests, clients, sessions, storms, savings, rejects, visibility, contract, window, inputs } = findings;
  const stormSum = (kind: string, of: (storm: Findings['storms'][number]) => number): number =>
    storms.filter((storm) => storm.kind === kind).reduce((total, storm) => total + of(storm), 0);
  const lines = (of: (input: Findings['inputs'][number]) => number): number =>
    inputs.reduce((total, input) => total + of(input), 0);
  return [
    {
      name: 'info',
      help: 'Version of the tool that made the report.',
      samples: [{ labels: { version: findings.tool.version }, value: 1 }],
    },
    {
      name: 'report_generated_seconds',
      help: 'When the report was made, in seconds since the epoch.',
      samples: moment(findings.generated_at),
    },
    {
      name: 'window_start_seconds',
      help: 'Start of the first request, in seconds since the epoch.',
      samples: moment(window.start),
    },
    { name: 'window_end_seconds', help: 'Start of the last request, in seconds since the epoch.', samples: moment(window.end) },
    {
      name: 'visible',
      help: 'Whether the log shows this level (1) or cannot (0).',
      samples: each('level', ['status', 'rpc_code', 'tool_error', 'time', 'client'] as const, (level) =>
        Number(visibility[level]),
      ),
    },
    {
      name: 'requests',
      help: 'Requests by what their answers said.',
      samples: each('kind', KINDS, (kind) => requests.by_kind[kind] ?? 0),
    },
    { name: 'clients', help: 'Distinct clients.', samples: one(clients.total) },
    { name: 'sessions', help: 'Sessions.', samples: one(sessions.total) },
    {
      name: 'targets',
      help: 'Targets by what the contract says of them.',
      samples: each('declared', ['declared', 'undeclared', 'unknown'] as const, (declared) => contract[declared]),
    },
    { name: 'storms', help: 'Storms by kind.', samples: each('kind', STORM_KINDS, (kind) => stormSum(kind, () => 1)) },
    {
      name: 'storm_requests',
      help: 'Requests of storms by kind.',
      samples: each('kind', STORM_KINDS, (kind) => stormSum(kind, (storm) => storm.requests)),
    },
    {
      name: 'avoidable_requests',
      help: 'Requests that a refusal gate would have spared, as bounds.',
      samples: each('bound', ['lower', 'upper'] as const, (bound) => savings[bound]),
    },
    {
      name: 'kind_avoidable_requests',
      help: 'Requests that a refusal gate would have spared, by the kind of refusal that holds them.',
      samples: each('kind', Object.keys(savings.by_kind) as Kind[], (kind) => savings.by_kind[kind]?.avoidable ?? 0),
    },
    { name: 'harm_requests', help: 'Good answers that a refusal gate would have lost.', samples: one(savings.harm) },
    { name: 'overrun_requests', help: 'Retries beyond the budget.', samples: one(savings.overrun) },
    {
      name: 'findings',
      help: 'Findings by severity.',
      samples: each(
        'severity',
        SEVERITIES,
        (severity) => findings.findings.filter((finding) => finding.severity === severity).length,
      ),
    },
    {
      name: 'rule_findings',
      help: 'Findings by rule.',
      samples: each('rule', FINDING_RULES, (rule) => findings.findings.filter((finding) => finding.rule === rule).length),
    },
    { name: 'input_lines', help: 'Lines that were read.', samples: one(lines((input) => input.lines)) },
    { name: 'rejected_lines', help: 'Lines that looked like records and were not understood.', samples: one(rejects.total) },
  ];
}

export const prometheus: Renderer = {
  title: "gauges in Prometheus' text format",
  extensions: ['prom'],
  hasCharts: false,
  render: (findings) => renderMetrics(reportMetrics(findings)),
};
