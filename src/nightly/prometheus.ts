// The last night as metrics for node_exporter's textfile collector. Labels are closed lists of ours: no text of the log becomes one.
import { STORM_KINDS, type Findings } from '../findings/findings.ts';
import { KINDS } from '../record.ts';
import type { Comparison } from './history.ts';
import type { Night } from './window.ts';

interface Metric {
  name: string;
  help: string;
  values: readonly (readonly [labels: string, value: number])[];
}

const one = (value: number): Metric['values'] => [['', value]];

/** Returns the metrics of a night in the text format. */
export function renderMetrics(
  night: Night,
  findings: Findings,
  { fresh, returning, ongoing, gone, unusual }: Comparison,
): string {
  const { requests, storms, savings, rejects, clients } = findings;
  const metrics: Metric[] = [
    { name: 'window_start_seconds', help: 'Start of the window of the last report.', values: one(night.since / 1e6) },
    { name: 'window_end_seconds', help: 'End of the window of the last report.', values: one(night.until / 1e6) },
    {
      name: 'report_generated_seconds',
      help: 'When the last report was made.',
      values: one(Date.parse(findings.generated_at) / 1000),
    },
    {
      name: 'requests',
      help: 'Requests by what their answers said.',
      values: KINDS.map((kind) => [`{kind="${kind}"}`, requests.by_kind[kind] ?? 0]),
    },
    {
      name: 'storms',
      help: 'Storms by kind.',
      values: STORM_KINDS.map((kind) => [`{kind="${kind}"}`, storms.filter((storm) => storm.kind === kind).length]),
    },
    {
      name: 'storms_by_novelty',
      help: 'Clients and kinds of storms against the nights before.',
      values: [
        ['{novelty="new"}', fresh.length],
        ['{novelty="returning"}', returning.length],
        ['{novelty="ongoing"}', ongoing.length],
        ['{novelty="gone"}', gone.length],
      ],
    },
    {
      name: 'avoidable_requests',
      help: 'Requests that a refusal gate would have spared, as bounds.',
      values: [
        ['{bound="lower"}', savings.lower],
        ['{bound="upper"}', savings.upper],
      ],
    },
    { name: 'harm_requests', help: 'Good answers that a refusal gate would have lost.', values: one(savings.harm) },
    { name: 'overrun_requests', help: 'Retries beyond the budget.', values: one(savings.overrun) },
    { name: 'rejected_lines', help: 'Lines that looked like records and were not understood.', values: one(rejects.total) },
    { name: 'clients', help: 'Distinct clients.', values: one(clients.total) },
    { name: 'unusual_volumes', help: 'Figures far from their usual values.', values: one(unusual.length) },
  ];
  return metrics.map(renderMetric).join('');
}

function renderMetric({ name, help, values }: Metric): string {
  const lines = values.map(([labels, value]) => `stormgate_${name}${labels} ${value}\n`);
  return `# HELP stormgate_${name} ${help}\n# TYPE stormgate_${name} gauge\n${lines.join('')}`;
}
