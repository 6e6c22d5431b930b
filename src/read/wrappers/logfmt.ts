// Loggers that write `key=value` around a text (slog, logrus).
import type { ParseContext } from '../../formats/format.ts';
import { parseIso, parseYearless } from '../../formats/time.ts';
import { asUvicorn } from './uvicorn-message.ts';
import type { Peeled, Wrapper } from './wrapper.ts';

/** At most so many pairs stand before the text. */
const PAIRS = /^(?:[A-Za-z_][\w.-]{0,63}=(?:"(?:[^"\\]|\\.)*"|[^\s"]*) ){0,8}?(?:msg|message)=("(?:[^"\\]|\\.)*"|\S*)/;
const TIME = /(?:^| )(?:time|ts|timestamp)=(?:"([^"]{1,40})"|(\S{1,40}))/;
const LEVEL = /(?:^| )(?:level|lvl)=([A-Za-z]{1,16})/;

function peel(line: string, context: ParseContext): Peeled | undefined {
  if (!line.includes('msg=') && !line.includes('message=')) return undefined;
  const [head, quoted = ''] = PAIRS.exec(line) ?? [];
  if (head === undefined) return undefined;
  const before = head.slice(0, -quoted.length || undefined);
  const [, inQuotes, bare] = TIME.exec(before) ?? [];
  const time = inQuotes ?? bare ?? '';
  const stamp = parseIso(time, context.timeZone) ?? parseYearless(time, context);
  return { payload: asUvicorn(unquote(quoted), LEVEL.exec(before)?.[1]?.toUpperCase() ?? 'INFO'), stamp };
}

/** Go quotes as JSON does, and writes other bytes as `\xHH`. */
function unquote(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    return (
      JSON.parse(
        text.replace(/\\(?:\\|x([\da-f]{2}))/g, (all, hex?: string) => (hex === undefined ? all : `\\u00${hex}`)),
      ) as string
    ).replace(/\r?\n$/, '');
  } catch {
    return text.slice(1, -1);
  }
}

export const logfmt: Wrapper = {
  name: 'logfmt',
  title: 'logfmt of a logger around a text (slog, logrus)',
  spec: 'https://pkg.go.dev/log/slog#TextHandler',
  isSure: false,
  peel,
  samples: [
    {
      line: String.raw`time=2026-11-25T23:02:08.500Z level=INFO msg="GET \"/mcp\"" app=web`,
      expect: { payload: 'GET "/mcp"', ts: 1_795_647_728_500_000 },
    },
    { line: 'level=info msg=ready', expect: { payload: 'ready' } },
  ],
};
