// A bare stamp in front, as `kubectl logs --timestamps`, `docker logs -t` and `ts` put it.
import type { ParseContext } from '../../formats/format.ts';
import { parseIso } from '../../formats/time.ts';
import type { Peeled, Wrapper } from './wrapper.ts';

const PREFIX = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|[+-]\d\d:?\d\d)(?![^\s]))?)[ \t]{1,8}(?=\S)/;

function peel(line: string, { timeZone }: ParseContext): Peeled | undefined {
  if (line.charCodeAt(4) !== 45 || line.charCodeAt(13) !== 58) return undefined;
  const [head, time = ''] = PREFIX.exec(line) ?? [];
  const stamp = head === undefined ? null : parseIso(time, timeZone);
  return head === undefined || stamp === null ? undefined : { payload: line.slice(head.length), stamp };
}

export const timestamps: Wrapper = {
  name: 'timestamps',
  title: 'kubectl logs --timestamps, docker logs -t',
  spec: 'https://kubernetes.io/docs/reference/kubectl/generated/kubectl_logs/',
  isSure: false,
  peel,
  samples: [
    { line: '2026-11-25T23:02:08.000000001Z GET /mcp', expect: { payload: 'GET /mcp', ts: 1_795_647_728_000_000 } },
    { line: '2026-11-25 23:02:08,5 +0000 GET /mcp', expect: { payload: 'GET /mcp', ts: 1_795_647_728_500_000 } },
  ],
};
