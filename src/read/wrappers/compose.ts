// docker compose, podman and process managers put a name and a bar in front.
import type { Wrapper } from './wrapper.ts';

/** `web-1  | `, `web_1 | `, `[web] | `, and pm2's `0|app  | `. */
const PREFIX = /^(\[?(?:\d{1,5}\|)?[A-Za-z\d][\w.-]{0,127}\]?) {1,64}\| ?/;

export const compose: Wrapper = {
  name: 'compose',
  title: 'docker compose logs, podman compose, pm2',
  spec: 'https://docs.docker.com/reference/cli/docker/compose/logs/',
  isSure: true,
  peel(line) {
    if (!line.includes(' |')) return undefined;
    const [head, stream = ''] = PREFIX.exec(line) ?? [];
    return head === undefined ? undefined : { payload: line.slice(head.length), stream };
  },
  samples: [
    { line: 'web-1  | GET /mcp', expect: { payload: 'GET /mcp', stream: 'web-1' } },
    { line: '0|app  | GET /mcp', expect: { payload: 'GET /mcp', stream: '0|app' } },
    { line: 'web_1 |', expect: { payload: '', stream: 'web_1' } },
  ],
};
