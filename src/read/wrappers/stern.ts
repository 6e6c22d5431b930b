// stern and kail put pod and container in front, without brackets.
import type { Wrapper } from './wrapper.ts';

const STERN =
  /^((?:[a-z\d][a-z\d.-]{0,252} )?[a-z\d][a-z\d.]{0,252}-[a-z\d.-]{0,252}[a-z\d] [a-z\d](?:[a-z\d-]{0,61}[a-z\d])?) (?=\S)/;
const KAIL = /^([\w.-]{1,253}\/[\w.-]{1,253}\[[\w.-]{1,253}\]): /;

export const stern: Wrapper = {
  name: 'stern',
  title: 'stern, kail',
  spec: 'https://github.com/stern/stern',
  // Two words in lower case, the first with a dash, may stand in front of anything.
  isSure: false,
  peel(line) {
    const [head, stream = ''] = STERN.exec(line) ?? KAIL.exec(line) ?? [];
    return head === undefined ? undefined : { payload: line.slice(head.length), stream };
  },
  samples: [
    { line: 'web-7d9f8b6c5-x2x4z nginx GET /mcp', expect: { payload: 'GET /mcp', stream: 'web-7d9f8b6c5-x2x4z nginx' } },
    { line: 'prod web-0 nginx GET /mcp', expect: { payload: 'GET /mcp', stream: 'prod web-0 nginx' } },
    { line: 'default/web-0[nginx]: GET /mcp', expect: { payload: 'GET /mcp', stream: 'default/web-0[nginx]' } },
  ],
};
