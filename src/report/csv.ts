// The storms as a table for spreadsheets, one row each, header always.
import type { Storm } from '../findings/findings.ts';
import { escapeCsv } from './escape.ts';
import { place } from './facts.ts';
import type { Renderer } from './renderer.ts';
import { targetName } from './verdict.ts';

const COLUMNS: Readonly<Record<string, (storm: Storm) => string | number | null>> = {
  id: (storm) => storm.id,
  kind: (storm) => storm.kind,
  client: (storm) => storm.client,
  session: (storm) => storm.session,
  start_ts: (storm) => storm.start_ts,
  end_ts: (storm) => storm.end_ts,
  duration_s: (storm) => storm.duration_s,
  requests: (storm) => storm.requests,
  refused: (storm) => storm.refused,
  avoidable: (storm) => storm.avoidable,
  under_gate: (storm) => storm.under_gate,
  targets: (storm) => storm.targets.map((target) => `${targetName(target)} (${target.requests})`).join('; '),
  evidence: (storm) => storm.evidence.map(place).join('; '),
};

export const csv: Renderer = {
  title: 'the storms as a table',
  extensions: ['csv'],
  hasCharts: false,
  render: ({ storms }) =>
    [Object.keys(COLUMNS), ...storms.map((storm) => Object.values(COLUMNS).map((cell) => cell(storm)))]
      .map((row) => `${row.map(escapeCsv).join(',')}\r\n`)
      .join(''),
};
