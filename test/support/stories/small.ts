// Small stories: one kind of storm each, and next to it the client that does the same thing well.
import { byEnd, conversation, linesOf, MINUTE, SECOND, type Conversation, type Request } from './exchange.ts';
import { nginxCombined } from './nginx.ts';
import { fullJitter } from './random.ts';

const START = Date.UTC(2026, 10, 4, 14);

function arrives(address: string, agent: string, offset = 0): Conversation {
  return conversation({ address, agent, host: 'api.example.com' }, START + offset);
}

function combined(...talks: Conversation[]): Record<string, string> {
  return { 'access.log': linesOf(byEnd(talks).map(nginxCombined)) };
}

/** Sends a request again and again until it has been refused `times` times, with a wait before each repeat. */
function insists(talk: Conversation, times: number, request: Request, wait: (attempt: number) => number): Conversation {
  for (let attempt = 0; attempt < times; attempt += 1) {
    if (attempt > 0) talk.wait(wait(attempt - 1));
    talk.send({ duration: 5, ...request });
  }
  return talk;
}

/** Throttled: one client asks again every second, the other waits longer each time and then is answered. */
export function throttleHammering(): Record<string, string> {
  const search = { method: 'GET', path: '/v1/search', status: 429 };
  const hammer = insists(arrives('198.51.100.61', 'sync-agent/1.0'), 12, search, () => SECOND);
  const polite = insists(
    arrives('198.51.100.62', 'patient-agent/1.0', MINUTE),
    3,
    search,
    (attempt) => 4 * SECOND * 4 ** attempt,
  );
  polite.wait(64 * SECOND);
  polite.send({ ...search, status: 200 });
  return combined(hammer, polite);
}

/** Failing: one client tries twenty times, the other needs two retries and stays within the budget. */
export function transientHammering(): Record<string, string> {
  const index = { method: 'GET', path: '/v1/index', status: 503 };
  const hammer = insists(arrives('198.51.100.63', 'sync-agent/1.0'), 20, index, () => 2 * SECOND);
  const polite = arrives('198.51.100.64', 'patient-agent/1.0', MINUTE);
  insists(polite, 2, index, (attempt) => SECOND + fullJitter(polite.random, attempt));
  polite.wait(3 * SECOND);
  polite.send({ ...index, status: 200 });
  return combined(hammer, polite);
}

/** Refused: one client repeats a method that the path does not know, the other takes the first 405 and asks as it should. */
export function refusedRepeat(): Record<string, string> {
  const report = { method: 'POST', path: '/v1/reports', status: 405 };
  const insistent = insists(arrives('198.51.100.65', 'sync-agent/1.0'), 6, report, () => 10 * SECOND);
  const attentive = arrives('198.51.100.66', 'patient-agent/1.0', MINUTE);
  attentive.send(report);
  attentive.wait(SECOND);
  attentive.send({ ...report, method: 'GET', status: 200 });
  return combined(insistent, attentive);
}

interface Call {
  arguments: Record<string, string>;
  isError: boolean;
}

/** Returns a transcript of calls of one tool, ten seconds apart, each answered half a second later under success. */
function transcript(calls: readonly Call[]): string {
  const lines = calls.flatMap(({ isError, ...call }, index) => {
    const id = index + 1;
    const content = [{ type: 'text', text: isError ? 'no page with this slug' : 'found' }];
    const request = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'get_page', ...call } };
    const response = { jsonrpc: '2.0', id, result: { content, isError } };
    const at = START + index * 10 * SECOND;
    return [
      { timestamp: new Date(at).toISOString(), direction: 'client_to_server', message: request },
      { timestamp: new Date(at + 500).toISOString(), direction: 'server_to_client', message: response },
    ];
  });
  return linesOf(lines.map((line) => JSON.stringify(line)));
}

/** Answered with `isError`: one client asks the same five times, the other changes its arguments. */
export function semanticRepeat(): Record<string, string> {
  const wrong = { arguments: { slug: 'quarterly-plan-2' }, isError: true };
  const right = { arguments: { slug: 'quarterly-plan' }, isError: false };
  return {
    'same-arguments.log': transcript([wrong, wrong, wrong, wrong, wrong]),
    'changed-arguments.log': transcript([wrong, right]),
  };
}
