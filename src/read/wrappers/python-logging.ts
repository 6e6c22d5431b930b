// What Python's loggers put in front of a message (logging, loguru, gunicorn, Django, Tornado), and bare `LEVEL:logger:`.
import type { ParseContext } from '../../formats/format.ts';
import { parseIso } from '../../formats/time.ts';
import { asUvicorn } from './uvicorn-message.ts';
import type { Peeled, Wrapper } from './wrapper.ts';

const LEVEL = '(?:TRACE|DEBUG|INFO|NOTICE|SUCCESS|WARNING|WARN|ERROR|CRITICAL|FATAL)';
const STAMP = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d)?`;
/** What may stand between stamp, level and message. */
const DIVIDER = String.raw`[ \t]{0,8}[-|:,]?[ \t]{1,16}`;
const LOGGER = String.raw`(?!${LEVEL}\b)[A-Za-z_][\w.<>$-]{0,127}`;
/** `[17]`, `[uvicorn.access]` */
const BRACKETED = String.raw`\[(?:\d{1,10}|[A-Za-z_][^\]\s]{0,127})\]`;

/** `2026-09-15 03:56:48,857 [- logger -] INFO`, in any brackets. uvicorn's own level is padded behind its colon, and stays. */
const STAMPED = new RegExp(
  String.raw`^\[?(${STAMP})\]?((?:${DIVIDER}(?:${BRACKETED}|${LOGGER})){0,2}?)${DIVIDER}\[?(${LEVEL})(?!:[ ]{2})[ ]{0,8}\]?(?=[ \t:|-])`,
);
/** Behind the level a logger is told by what follows it: `uvicorn.access: `, `app.main:run:12 - `. */
const BEHIND = new RegExp(
  String.raw`^(?:${DIVIDER}${BRACKETED}){0,2}(?:${DIVIDER}${LOGGER}(?::[\w.<>$-]{1,128})?(?::\d{1,6})?(?=:[ ]| -[ ]))?`,
);
/** `INFO 2026-09-15 03:56:48,857 logger ` */
const LEVEL_FIRST = new RegExp(
  String.raw`^\[?(${LEVEL})\]?[ ]{1,8}\[?(${STAMP})\]?(?:${DIVIDER}${LOGGER})?(?:[ \t]{0,8}[-|:])?[ \t]{1,16}`,
);
/** `[I 2026-06-15 09:52:47,613.613 logger] ` */
const TORNADO = new RegExp(
  String.raw`^\[([DIWEC]) (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:,\d{3})?)(?:\.\d{1,6})?(?: [^\]\s]{1,128}){0,2}\] `,
);
/** basicConfig: `INFO:uvicorn.access:` */
const BASIC = new RegExp(String.raw`^(${LEVEL}):(${LOGGER}):`);

function peel(line: string, { timeZone }: ParseContext): Peeled | undefined {
  const first = line.charCodeAt(0);
  // A digit, a bracket, or the first letter of a level.
  if (!((first > 47 && first < 58) || first === 91 || (first > 64 && first < 91))) return undefined;
  const [head, time = '', between = '', level = ''] = STAMPED.exec(line) ?? [];
  if (head !== undefined) return peeled(line, head + restOfHead(line.slice(head.length), between), time, level, timeZone);
  const levelFirst = LEVEL_FIRST.exec(line);
  if (levelFirst !== null) return peeled(line, levelFirst[0], levelFirst[2] ?? '', levelFirst[1] ?? '', timeZone);
  const tornado = TORNADO.exec(line);
  if (tornado !== null) return peeled(line, tornado[0], tornado[2] ?? '', 'INFO', timeZone);
  const [basic, basicLevel = ''] = BASIC.exec(line) ?? [];
  return basic === undefined ? undefined : { payload: asUvicorn(line.slice(basic.length), basicLevel) };
}

/** A dash or a bar ends the head only where one stood before. */
function restOfHead(rest: string, between: string): string {
  const logger = /[A-Za-z]/.test(between) ? '' : (BEHIND.exec(rest)?.[0] ?? '');
  const divider =
    between.includes(' - ') || logger.includes(':')
      ? /^(?:[ ]*-|:)?[ \t]+/
      : between.includes('|')
        ? /^[ ]*\|?[ \t]+/
        : /^:?[ \t]+/;
  return logger + (divider.exec(rest.slice(logger.length))?.[0] ?? '');
}

function peeled(line: string, head: string, time: string, level: string, timeZone: string): Peeled | undefined {
  const stamp = parseIso(time.replace(/ (?=[+-]\d{4}$)/, ''), timeZone);
  return stamp === null ? undefined : { payload: asUvicorn(line.slice(head.length), level), stamp };
}

export const pythonLogging: Wrapper = {
  name: 'python-logging',
  title: 'Python logging prefixes',
  spec: 'https://docs.python.org/3/library/logging.html#logrecord-attributes',
  isSure: false,
  peel,
  samples: [
    { line: '2026-11-25 23:02:08,857 uvicorn.error INFO text', expect: { payload: 'text', ts: 1_795_647_728_857_000 } },
    { line: '[2026-11-25 23:02:08,857] [INFO] text', expect: { payload: 'text', ts: 1_795_647_728_857_000 } },
    { line: '2026-11-25 23:02:08,857 - mcp.server - INFO - text', expect: { payload: 'text', ts: 1_795_647_728_857_000 } },
    {
      line: '2026-11-25 23:02:08.857 | INFO     | app.main:run:12 - text',
      expect: { payload: 'text', ts: 1_795_647_728_857_000 },
    },
    { line: '[2026-11-25 23:02:08 +0000] [17] [INFO] text', expect: { payload: 'text', ts: 1_795_647_728_000_000 } },
    { line: '[I 2026-11-25 23:02:08,613.613 mcp_proxy] text', expect: { payload: 'text', ts: 1_795_647_728_613_000 } },
    { line: 'INFO 2026-11-25 23:02:08,857 django.server text', expect: { payload: 'text', ts: 1_795_647_728_857_000 } },
    { line: 'INFO:app:text', expect: { payload: 'text' } },
    {
      line: '2026-11-25 23:02:08,857 INFO uvicorn.access: 192.0.2.1:51002 - "POST /mcp HTTP/1.1" 404',
      expect: { payload: 'INFO:     192.0.2.1:51002 - "POST /mcp HTTP/1.1" 404', ts: 1_795_647_728_857_000 },
    },
  ],
};
