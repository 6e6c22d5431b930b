// kubectl logs --prefix: `[pod/NAME/CONTAINER] `.
import type { Wrapper } from './wrapper.ts';

const PREFIX = /^\[([a-z]{1,16}\/[\w.-]{1,253}\/[\w.-]{1,253})\] /;

export const kubectl: Wrapper = {
  name: 'kubectl',
  title: 'kubectl logs --prefix',
  spec: 'https://kubernetes.io/docs/reference/kubectl/generated/kubectl_logs/',
  isSure: true,
  peel(line) {
    if (line.charCodeAt(0) !== 91) return undefined;
    const [head, stream = ''] = PREFIX.exec(line) ?? [];
    return head === undefined ? undefined : { payload: line.slice(head.length), stream };
  },
  samples: [{ line: '[pod/web-7d9f/nginx] GET /mcp', expect: { payload: 'GET /mcp', stream: 'pod/web-7d9f/nginx' } }],
};
