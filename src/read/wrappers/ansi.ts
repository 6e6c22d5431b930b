// Colours and other control sequences of terminals, as they are and as syslog daemons spell them (`#033[`).
import type { Wrapper } from './wrapper.ts';

const ESCAPE = String.fromCharCode(27);
/** CSI sequences, OSC sequences up to their end, and the lone shifts of `tput sgr0`. */
const SEQUENCES = new RegExp(
  String.raw`(?:${ESCAPE}|#033)(?:\[[\d;:?]{0,32}[A-Za-z]|\][^\u0007${ESCAPE}]{0,256}(?:\u0007|${ESCAPE}\\)|\([A-Z0-9])`,
  'g',
);

export const ansi: Wrapper = {
  name: 'ansi',
  title: 'terminal colours',
  spec: 'https://ecma-international.org/publications-and-standards/standards/ecma-48/',
  isSure: true,
  peel(line) {
    if (!line.includes(ESCAPE) && !line.includes('#033[')) return undefined;
    const payload = line.replace(SEQUENCES, '');
    return payload === line ? undefined : { payload };
  },
  samples: [
    { line: '\u001b[32mINFO\u001b[0m: \u001b[1mGET / HTTP/1.1\u001b[0m', expect: { payload: 'INFO: GET / HTTP/1.1' } },
    { line: '#033[31m404#033[0m', expect: { payload: '404' } },
    { line: '\u001b[2K\u001b(Bplain', expect: { payload: 'plain' } },
  ],
};
