// The headings of `tail -f` over several files.
import type { Wrapper } from './wrapper.ts';

const HEADING = /^==> (.{1,4096}) <==$/;

export const tail: Wrapper = {
  name: 'tail',
  title: 'tail -f of several files',
  spec: 'https://www.gnu.org/software/coreutils/manual/html_node/tail-invocation.html',
  isSure: true,
  peel(line) {
    if (!line.startsWith('==> ')) return undefined;
    const stream = HEADING.exec(line)?.[1];
    return stream === undefined ? undefined : { payload: '', stream, isHeading: true };
  },
  samples: [
    { line: '==> /var/log/nginx/access.log <==', expect: { payload: '', stream: '/var/log/nginx/access.log', isHeading: true } },
  ],
};
