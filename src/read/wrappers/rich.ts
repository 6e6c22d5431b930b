// Rich's console handler, FastMCP's default: columns of stamp, level, text and place. Long texts are wrapped to the column.
import type { ParseContext } from '../../formats/format.ts';
import { parseIso, type Stamp } from '../../formats/time.ts';
import { asUvicorn } from './uvicorn-message.ts';
import type { Peeled, Wrapper } from './wrapper.ts';

const HEAD = /^(?:\[(\d\d)\/(\d\d)\/(\d\d) (\d\d:\d\d:\d\d)\]| {19,20}) (DEBUG|INFO|WARNING|ERROR|CRITICAL|NOTSET) {1,6}/;
/** The place of the call ends the first line, pushed to the right. */
const PLACE = /(?: {1,200}[\w.-]{1,64}\.py:\d{1,6})? {0,200}$/;
const FURTHER = /^ {25,34}(?=\S)/;

function peelAfter(line: string, last: Stamp | null, { timeZone }: ParseContext): Peeled | undefined {
  const first = line.charCodeAt(0);
  if (first !== 91 && first !== 32) return undefined;
  const [head, month, day, year, clock, level = ''] = HEAD.exec(line) ?? [];
  if (head !== undefined) {
    const stamp = month === undefined ? last : parseIso(`20${year}-${month}-${day}T${clock}`, timeZone);
    const text = textOf(line, head.length);
    return { payload: asUvicorn(text, level), stamp, isOpen: true };
  }
  const further = FURTHER.exec(line)?.[0];
  return further === undefined ? undefined : { payload: textOf(line, further.length), appendedBy: ' ' };
}

/** Without the place. Matched on the end of the line only: blanks in the middle would be tried one by one. */
function textOf(line: string, from: number): string {
  const start = Math.max(from, line.length - 300);
  return line.slice(from, start) + line.slice(start).replace(PLACE, '');
}

export const rich: Wrapper = {
  name: 'rich',
  title: 'Rich console (FastMCP)',
  spec: 'https://rich.readthedocs.io/en/stable/logging.html',
  isSure: true,
  // By itself a line of blanks and text is anything.
  peel: (line, context) => (line.charCodeAt(0) === 91 ? peelAfter(line, null, context) : undefined),
  open: (context) => {
    let last: Stamp | null = null;
    let isOpen = false;
    return (line) => {
      const peeled = peelAfter(line, last, context);
      if (peeled?.appendedBy !== undefined && !isOpen) return undefined;
      isOpen = peeled !== undefined;
      last = peeled?.stamp ?? last;
      return peeled;
    };
  },
  samples: [
    {
      line: '[11/25/26 23:02:08] INFO     Processing request of type                  server.py:664',
      expect: { payload: 'Processing request of type', isOpen: true, ts: 1_795_647_728_000_000 },
    },
    {
      line: '[11/25/26 23:02:08] INFO     192.0.2.1:51002 - "POST /mcp HTTP/1.1" 404',
      expect: { payload: 'INFO:     192.0.2.1:51002 - "POST /mcp HTTP/1.1" 404', isOpen: true, ts: 1_795_647_728_000_000 },
    },
  ],
};
