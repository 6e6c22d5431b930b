import { describe, expect, it } from 'vitest';
import { STORM_KINDS, type Findings, type Storm } from '../../src/findings/findings.ts';
import { figures } from '../../src/report/facts.ts';
import { inOrder } from '../../src/report/order.ts';
import { write } from '../../src/report/phrase.ts';
import { sentence, support } from '../../src/report/verdict.ts';
import { BLIND, EMPTY, FEDERATION, HEARD, MANY, PROBER_STORM, QUIET, storm } from './fixtures.ts';

const said = (findings: Findings): string => write(sentence(inOrder(findings)), (log) => `‹${log}›`);
const behind = (findings: Findings): string[] => support(inOrder(findings)).map((line) => write(line, (log) => `‹${log}›`));
const storms = (...parts: Partial<Storm>[]): Findings => ({
  ...FEDERATION,
  storms: parts.map((part, i) => storm(`s${i}`, part)),
});

describe('the verdict', () => {
  it.each<[string, Findings, string]>([
    [
      'one guesser',
      FEDERATION,
      'One client would not take no for an answer: ‹198.51.100.44 card-walker/0.3 (python-httpx/0.27)› sent 22 requests to three undeclared paths; a gate would have sent 3 and spared 19.',
    ],
    [
      'a guesser of one client that has no name',
      { ...FEDERATION, visibility: { ...FEDERATION.visibility, client: false } },
      'Someone would not take no for an answer: a client the log does not name sent 22 requests to three undeclared paths; a gate would have sent 3 and spared 19.',
    ],
    [
      'several clients',
      MANY,
      'Two clients would not take no for an answer, one would not wait and one went round in circles: together they sent 707 requests in 4 storms, of which a gate would have spared 155.',
    ],
    [
      'two storms of one client',
      storms({ client: 'a' }, { client: 'a', kind: 'transient_hammering', avoidable: 0, requests: 30, targets: [] }),
      'One client would not take no for an answer: ‹a› sent 57 requests in 2 storms, of which a gate would have spared 23.',
    ],
    [
      'haste alone',
      storms({ client: 'b', kind: 'throttle_hammering', avoidable: 0, requests: 90, targets: PROBER_STORM.targets.slice(0, 1) }),
      'One client would not wait: ‹b› sent 90 requests to ‹POST /mcp/mcp› without backing off; a retry budget would have let 4 of them through.',
    ],
    [
      'obeyed refusals',
      HEARD,
      'Every refusal seen was taken for an answer: 34 of 12,340 requests were refused for good, and none was asked for again.',
    ],
    [
      'repeats below a storm',
      { ...FEDERATION, storms: [] },
      'No storm, but some refusals were asked for again: 34 of 12,340 requests were refused for good.',
    ],
    ['no refusal by status', QUIET, 'No refusal for good was seen in 5,020 requests, looking at HTTP statuses alone.'],
    ['no refusal at all', { ...QUIET, visibility: FEDERATION.visibility }, 'No client was refused for good in 5,020 requests.'],
    [
      'a log that shows nothing',
      BLIND,
      'This log cannot show a refusal: its 840 requests carry neither a status nor an RPC code.',
    ],
    ['an empty log', EMPTY, 'There was nothing to judge: the input has no lines.'],
    [
      'lines without a record',
      { ...EMPTY, inputs: QUIET.inputs.map((input) => ({ ...input, lines: 7 })), rejects: { ...EMPTY.rejects, total: 2 } },
      'There was nothing to judge: none of the 7 lines is an access record, and 2 could not be understood.',
    ],
  ])('of %s', (_, findings, text) => expect(said(findings)).toBe(text));

  it.each(STORM_KINDS)('has a sentence for %s', (kind) => {
    expect(said(storms({ kind }))).toMatch(
      /^One client would not (take no for an answer|wait): ‹.+› [a-z].*\.$|^One client went round in circles: ‹.+› [a-z].*\.$/,
    );
  });

  it('names the worst of several storms next', () => {
    expect(behind(MANY)[0]).toBe(
      'Worst: ‹203.0.113.9 toolrunner/2.1› sent 140 calls to ‹tools/call search_docs› unchanged, refused as wrong each time; a gate would have sent 8 and spared 132.',
    );
  });

  it('puts harm beside every saving', () => {
    expect(behind(FEDERATION)[0]).toBe(
      'Over all clients a gate would have spared 23–25 of 12,340 requests (up to 0.2 %) and lost no good answer.',
    );
    expect(behind(MANY)[1]).toBe(
      'Over all clients a gate would have spared 23–155 of 12,340 requests (up to 1.3 %) but also lost 7 good answers, because those refusals did not hold.',
    );
  });

  it('says so where a gate would do more harm than good', () => {
    const savings = { ...MANY.savings, lower: 5, upper: 5, harm: 14 };
    expect(behind({ ...FEDERATION, savings })[0]).toBe(
      'Over all clients a gate would have done more harm than good: it would have spared 5 of 12,340 requests (<0.1 %) and lost 14 good answers, because those refusals did not hold.',
    );
  });

  it('says that even what the gate lets through was avoidable', () => {
    expect(behind(FEDERATION)[1]).toBe(
      'Even 3 of the requests it lets through were avoidable: the client had read a contract that does not have the path.',
    );
  });
});

describe('key figures', () => {
  it('never give a zero for what the log cannot show', () => {
    expect(
      figures(BLIND)
        .slice(1)
        .every(({ value }) => value === '–'),
    ).toBe(true);
    const codesOnly = { ...QUIET, visibility: { ...QUIET.visibility, status: false, rpc_code: true } };
    expect(Object.fromEntries(figures(codesOnly).map(({ label, value }) => [label, value]))).toMatchObject({
      'refused for good': '0',
      throttled: '–',
      transient: '–',
    });
  });
});
