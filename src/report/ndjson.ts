// The report for pipes, one object a line: `report` (what and when), `totals`, then a `storm`, `saving` (of one kind), `finding`,
// `input` and `reject` each. `type` comes first; the other fields are those of the JSON report.
import type { Findings } from '../findings/findings.ts';
import { toJson } from './escape.ts';
import type { Renderer } from './renderer.ts';

function tagged(type: string, row: object): object {
  return { type, ...row };
}

function rows(findings: Findings): object[] {
  const { schema, tool, generated_at, window, visibility, contract, requests, clients, sessions, rejects } = findings;
  const { by_kind, ...savings } = findings.savings;
  return [
    { type: 'report', schema, tool, generated_at, window, visibility, contract },
    { type: 'totals', requests, clients, sessions, storms: findings.storms.length, savings, rejects: rejects.total },
    ...findings.storms.map((storm) => tagged('storm', storm)),
    ...Object.entries(by_kind).map(([kind, saving]) => tagged('saving', { kind, ...saving })),
    ...findings.findings.map((finding) => tagged('finding', finding)),
    ...findings.inputs.map((input) => tagged('input', input)),
    ...rejects.samples.map((reject) => tagged('reject', reject)),
  ];
}

export const ndjson: Renderer = {
  title: 'one JSON object for each storm, finding and total',
  extensions: ['ndjson', 'jsonl'],
  hasCharts: false,
  render: (findings) =>
    `${rows(findings)
      .map((row) => toJson(row))
      .join('\n')}\n`,
};
