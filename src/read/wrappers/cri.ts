// Lines of container runtimes under Kubernetes (containerd, cri-o): stamp, stream, tag, payload. Long lines come in pieces.
import { parseIso } from '../../formats/time.ts';
import type { Wrapper } from './wrapper.ts';

/** The first tag says whether the line ends here (`F`) or goes on (`P`); others may follow behind colons. */
const HEAD = /^(\d{4}-\d\d-\d\dT\S{8,26}) (stdout|stderr) ([FP])(?::[\w:]{0,64})?(?: |$)/;

export const cri: Wrapper = {
  name: 'cri',
  title: 'container runtime (CRI)',
  spec: 'https://github.com/kubernetes/design-proposals-archive/blob/main/node/kubelet-cri-logging.md',
  isSure: true,
  peel(line) {
    if (line.charCodeAt(4) !== 45 || !line.includes(' std')) return undefined;
    const [head, time = '', stream = '', tag] = HEAD.exec(line) ?? [];
    const stamp = head === undefined ? null : parseIso(time);
    if (head === undefined || stamp === null) return undefined;
    return { payload: line.slice(head.length), stamp, stream, ...(tag === 'P' ? { continues: true } : {}) };
  },
  samples: [
    {
      line: '2026-11-26T01:02:03.000000004+02:00 stdout F GET /mcp',
      expect: { payload: 'GET /mcp', stream: 'stdout', ts: 1_795_647_723_000_000 },
    },
    {
      line: '2026-11-25T23:02:03.1Z stderr P GET /mc',
      expect: { payload: 'GET /mc', stream: 'stderr', continues: true, ts: 1_795_647_723_100_000 },
    },
    { line: '2026-11-25T23:02:03.1Z stdout F:tag ', expect: { payload: '', stream: 'stdout', ts: 1_795_647_723_100_000 } },
  ],
};
