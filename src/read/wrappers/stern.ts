// stern and kail put pod and container in front, without brackets.
import type { Wrapper } from './wrapper.ts';

/** The names of pods end in five letters that make no words, or in a number. */
const STERN =
  /^((?:[a-z\d][a-z\d-]{0,62} )?[a-z\d](?:[a-z\d.-]{0,246}[a-z\d])?-(?:[b-df-hj-np-tv-xz2456789]{5}|\d{1,4}) [a-z\d](?:[a-z\d-]{0,61}[a-z\d])?) /;
const KAIL = /^([\w.-]{1,253}\/[\w.-]{1,253}\[[\w.-]{1,253}\]): /;

export const stern: Wrapper = {
  name: 'stern',
  title: 'stern, kail',
  spec: 'https://github.com/stern/stern',
  isSure: true,
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
