// Which rule judges an answer: one that is made up by flags, one that a log line shows, or the whole table.
import { existsSync } from 'node:fs';
import { InputError, UsageError } from '../errors.ts';
import * as messages from '../messages.ts';
import {
  PROTOCOL_VERSIONS,
  UNKNOWN_SIGNAL,
  type Declared,
  type GatewayMarker,
  type Known,
  type ProtocolVersion,
  type Signal,
} from '../record.ts';
import { escapeTerminal } from '../report/escape.ts';
import { INPUT_FLAGS, readInputFlags } from './analysis.ts';
import { defineCommand, defineFlags, type Values } from './command.ts';
import { print } from './output.ts';

const ANSWER = 'The answer';
const REQUEST = 'The request';
const KNOWN = ['yes', 'no'];

const ANSWER_FLAGS = defineFlags({
  status: { value: 'CODE', describe: 'HTTP status', group: ANSWER },
  'rpc-code': { value: 'CODE', describe: 'JSON-RPC error code', group: ANSWER },
  'grpc-status': { value: 'CODE', describe: 'gRPC status', group: ANSWER },
  'tool-error': { value: 'KNOWN', describe: 'a tool result with isError', choices: KNOWN, group: ANSWER },
  'input-required': { value: 'KNOWN', describe: 'a success that asks for more input', choices: KNOWN, group: ANSWER },
  wording: {
    value: 'WORDING',
    describe: 'what the error text speaks of',
    choices: ['throttle', 'session', 'version', 'origin', 'task_mode', 'none'],
    group: ANSWER,
  },
  allow: { value: 'ALLOW', describe: 'the Allow header of a 405', choices: ['methods', 'empty', 'absent'], group: ANSWER },
  challenge: {
    value: 'CHALLENGE',
    describe: 'what the answer asks for',
    choices: ['token', 'scope', 'payment', 'absent'],
    group: ANSWER,
  },
  'retry-after': { value: 'KNOWN', describe: 'the answer said when to retry', choices: KNOWN, group: ANSWER },
  marker: { value: 'MARKER', describe: 'what a gateway states: envoy_uf, haproxy_sh, cloudflare_1015, no_answer', group: ANSWER },
});

const REQUEST_FLAGS = defineFlags({
  method: { value: 'METHOD', describe: 'HTTP method (default POST with --rpc-method, else GET)', group: REQUEST },
  path: { value: 'PATH', describe: 'path without query', group: REQUEST },
  authority: { value: 'HOST', describe: 'host, with its port unless it is the usual one', group: REQUEST },
  'rpc-method': { value: 'METHOD', describe: 'JSON-RPC method, such as tools/call', group: REQUEST },
  'rpc-name': { value: 'NAME', describe: 'tool, prompt or resource', group: REQUEST },
  'protocol-version': { value: 'VERSION', describe: 'MCP revision or A2A version', choices: PROTOCOL_VERSIONS, group: REQUEST },
  session: { value: 'KNOWN', describe: 'the request bore an MCP session id', choices: KNOWN, group: REQUEST },
  origin: { value: 'KNOWN', describe: 'the request bore Origin', choices: KNOWN, group: REQUEST },
  declared: {
    value: 'DECLARED',
    describe: 'what the contract says of the target, where no --contract tells',
    choices: ['declared', 'undeclared', 'unknown'],
    group: REQUEST,
  },
});

export const explain = defineCommand({
  operands: '[FILE:LINE]',
  about: ['What no flag says is unknown. Rules are tried in order, and the first that fits decides.'],
  flags: {
    ...ANSWER_FLAGS,
    ...REQUEST_FLAGS,
    contract: INPUT_FLAGS.contract,
    endpoint: INPUT_FLAGS.endpoint,
    'log-format': INPUT_FLAGS['log-format'],
    'log-format-from': INPUT_FLAGS['log-format-from'],
    tz: INPUT_FLAGS.tz,
    all: { describe: 'print the whole rule table' },
  },
  examples: [
    ['stormgate explain --status 404 --rpc-code -32601', 'an answer'],
    ['stormgate explain --status 404 --path /mcp/sse --contract agent-card.json', 'an answer to a request outside the contract'],
    ['stormgate explain access.log:812', 'a line of a log'],
    ['stormgate explain --all', 'every rule with its source'],
  ],
  async run({ flags, operands: [place, extra] }) {
    if (extra !== undefined) throw new UsageError(messages.unexpectedOperand(extra), { help: messages.seeHelp('explain') });
    const { allRules, explain: explainAnswer } = await import('../classify/index.ts');
    const rules = allRules();
    const total = rules.length;
    if (flags.all) {
      await print(rules.map((rule) => messages.rule(rule, total)).join('\n'));
      return 0;
    }
    const input = await readInputFlags(flags);
    if (place !== undefined) {
      const { explainLine } = await import('../ingest/run.ts');
      const { name, line } = placeOf(place);
      const { text, requests, otherwise } = await explainLine(name, line, input);
      if (text === undefined) throw new InputError(messages.noSuchLine(name, line));
      const stories = requests.map(
        ({ target, signal, rule }) =>
          escapeTerminal(messages.judged(target, signal).trimEnd()) + '\n' + messages.rule(rule, total),
      );
      await print(`${escapeTerminal(text)}\n\n${otherwise === undefined ? stories.join('\n') : messages.noRequest(otherwise)}`);
      return 0;
    }
    const signal = signalOf(flags);
    if (Object.entries(signal).every(([fact, value]) => value === UNKNOWN_SIGNAL[fact as keyof Signal])) {
      throw new UsageError(messages.nothingToExplain(), { help: messages.howToExplain() });
    }
    const { openContract } = await import('../contract/open.ts');
    const contract = await openContract(input, []);
    const target = contract.describe({
      authority: flags.authority ?? null,
      http_method: flags.method ?? (flags['rpc-method'] === undefined ? 'GET' : 'POST'),
      path: flags.path ?? null,
      rpc_method: flags['rpc-method'] ?? null,
      rpc_name: flags['rpc-name'] ?? null,
    });
    const declared = (flags.declared as Declared | undefined) ?? target.declared;
    await print(messages.rule(explainAnswer({ ...target, declared }, signal), total));
    return 0;
  },
});

function placeOf(text: string): { name: string; line: number } {
  const [, name, line] = /^(.+):([1-9]\d{0,14})$/.exec(text) ?? [];
  if (name === undefined || line === undefined) {
    throw new UsageError(messages.badPlace(text), { help: messages.placeShape(existsSync(text) ? text : 'access.log') });
  }
  return { name, line: Number(line) };
}

const known = (text: string | undefined): Known => (text ?? 'unknown') as Known;

function signalOf(flags: Values<typeof ANSWER_FLAGS & typeof REQUEST_FLAGS>): Signal {
  const rpcCode = number('rpc-code', flags['rpc-code']);
  return {
    ...UNKNOWN_SIGNAL,
    status: number('status', flags.status),
    rpc_code: rpcCode,
    rpc_outcome: rpcCode !== null ? 'error' : flags['tool-error'] === undefined ? 'unknown' : 'result',
    grpc_status: number('grpc-status', flags['grpc-status']),
    protocol_version: (flags['protocol-version'] ?? null) as ProtocolVersion | null,
    marker: (flags.marker ?? null) as GatewayMarker | null,
    tool_error: known(flags['tool-error']),
    input_required: known(flags['input-required']),
    wording: (flags.wording ?? 'unknown') as Signal['wording'],
    has_session: known(flags.session),
    has_origin: known(flags.origin),
    allow: (flags.allow ?? 'unknown') as Signal['allow'],
    challenge: (flags.challenge ?? 'unknown') as Signal['challenge'],
    retry_after: known(flags['retry-after']),
  };
}

function number(flag: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^-?\d{1,10}$/.test(text)) throw new UsageError(messages.badValue(flag, text), { help: messages.expectedWhole() });
  return Number(text);
}
