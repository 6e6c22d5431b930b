// One order of facts for every renderer: fields as the schema lists them, storms and findings by weight, records by their closed list.
import { KINDS } from '../record.ts';
import type { Finding, Findings, Storm } from '../findings/findings.ts';

const SEVERITIES: readonly Finding['severity'][] = ['high', 'medium', 'low', 'info'];

const byText = (a: string | null, b: string | null): number => {
  if (a === b) return 0;
  return (a ?? '') < (b ?? '') ? -1 : 1;
};

function pick<T extends object, K extends keyof T>(value: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, value[key]])) as Pick<T, K>;
}

function sortedByKind<V>(record: Partial<Record<string, V>>): Partial<Record<string, V>> {
  return Object.fromEntries(KINDS.flatMap((kind) => (record[kind] === undefined ? [] : [[kind, record[kind]]])));
}

function sortedByName<V>(record: Record<string, V>): Record<string, V> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => byText(a, b)));
}

function byWeight(a: Storm, b: Storm): number {
  return (
    b.avoidable - a.avoidable ||
    b.refused - a.refused ||
    b.requests - a.requests ||
    byText(a.start_ts, b.start_ts) ||
    byText(a.id, b.id)
  );
}

function bySeverity(a: Finding, b: Finding): number {
  const severity = SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
  return severity || b.requests - a.requests || byText(a.rule, b.rule) || byText(a.title, b.title);
}

const EVIDENCE = ['source', 'line'] as const;

function orderedStorm(storm: Storm): Storm {
  return {
    ...pick(storm, [
      'id',
      'kind',
      'client',
      'session',
      'start_ts',
      'end_ts',
      'duration_s',
      'requests',
      'refused',
      'avoidable',
      'under_gate',
    ]),
    targets: storm.targets.map((target) =>
      pick(target, [
        'http_method',
        'path',
        'rpc_method',
        'rpc_name',
        'declared',
        'requests',
        'under_gate',
        'avoidable',
        'kind',
        'reason',
      ]),
    ),
    evidence: storm.evidence.map((line) => pick(line, EVIDENCE)),
  };
}

function orderedFinding(finding: Finding): Finding {
  return {
    ...pick(finding, ['rule', 'severity', 'title', 'clients', 'requests', 'advice']),
    evidence: finding.evidence.map((line) => pick(line, EVIDENCE)),
  };
}

function orderedSavings(savings: Findings['savings']): Findings['savings'] {
  const rows = Object.entries(savings.by_kind).map(([kind, row]) => [
    kind,
    pick(row, ['requests', 'under_gate', 'avoidable', 'harm']),
  ]);
  return {
    ...pick(savings, ['lower', 'upper', 'avoidable_first', 'overrun', 'harm', 'ambiguous_repeats']),
    by_kind: sortedByKind(Object.fromEntries(rows)),
    ...pick(savings, ['response_bytes', 'server_ms', 'client_wait_ms']),
  };
}

/** Returns the same findings with every field, list and record in its one order. */
export function inOrder(findings: Findings): Findings {
  return {
    schema: findings.schema,
    tool: pick(findings.tool, ['name', 'version']),
    generated_at: findings.generated_at,
    window: pick(findings.window, ['start', 'end', 'timed']),
    inputs: findings.inputs.map((input) =>
      pick(input, ['name', 'format', 'bytes', 'lines', 'records', 'rejects', 'other', 'parts', 'duplicates']),
    ),
    visibility: pick(findings.visibility, ['status', 'rpc_code', 'tool_error', 'time', 'client']),
    contract: pick(findings.contract, ['source', 'documents', 'declared', 'undeclared', 'unknown']),
    requests: {
      total: findings.requests.total,
      by_kind: sortedByKind(findings.requests.by_kind),
      by_reason: sortedByName(findings.requests.by_reason),
      by_status: sortedByName(findings.requests.by_status),
    },
    clients: pick(findings.clients, ['total', 'key']),
    sessions: pick(findings.sessions, ['total']),
    storms: findings.storms.toSorted(byWeight).map(orderedStorm),
    savings: orderedSavings(findings.savings),
    findings: findings.findings.toSorted(bySeverity).map(orderedFinding),
    rejects: {
      total: findings.rejects.total,
      by_reason: sortedByName(findings.rejects.by_reason),
      samples: findings.rejects.samples.map((sample) => pick(sample, ['source', 'line', 'reason', 'excerpt'])),
    },
  };
}
