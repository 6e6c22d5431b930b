// syslog in its old form (RFC 3164), its new one (RFC 5424), and the old one with an ISO stamp, as journalctl and rsyslog write it.
import type { ParseContext } from '../../formats/format.ts';
import { parseIso, parseYearless } from '../../formats/time.ts';
import type { Peeled, Wrapper } from './wrapper.ts';

const OLD = /^(?:<\d{1,3}>)?([A-Z][a-z]{2} [ \d]?\d) (?:(20\d\d) )?(\d\d:\d\d:\d\d(?:\.\d{1,9})?) /;
/** A host, unless the sender leaves it out, then a program with its process id. */
const TAG = /^(?:([\w.@-]{1,255}|[\da-fA-F.:]{2,45}) )?([A-Za-z_][\w./-]{0,127})(?:\[\d{1,10}\])?:(?: |$)/;
const REPEATED = /^message repeated (\d{1,4}) times: \[ ?(.*)\]$/s;
const SPEC_3164 = 'https://www.rfc-editor.org/rfc/rfc3164';

function peelOld(line: string, context: ParseContext): Peeled | undefined {
  const first = line.charCodeAt(0);
  if (first !== 60 && (first < 65 || first > 83)) return undefined;
  const [head, date = '', year, clock = ''] = OLD.exec(line) ?? [];
  if (head === undefined) return undefined;
  const near = year === undefined ? context.near : Date.UTC(Number(year), 6) * 1000;
  return peelTag(line.slice(head.length), parseYearless(`${date} ${clock}`, { ...context, near }));
}

function peelTag(text: string, stamp: Peeled['stamp']): Peeled | undefined {
  const [tag, host = '', program = ''] = TAG.exec(text) ?? [];
  if (tag === undefined) return undefined;
  const rest = text.slice(tag.length);
  const [, times, payload] = REPEATED.exec(rest) ?? [];
  const repeated = times === undefined || payload === undefined ? { payload: rest } : { payload, times: Number(times) };
  return { ...repeated, stamp: stamp ?? null, stream: `${host} ${program}` };
}

const NEW = /^(?:\d{1,7} )?<\d{1,3}>1 (\S{1,40}) (\S{1,255}) (\S{1,48}) (\S{1,128}) (\S{1,32}) /;
const ELEMENT = /\[[^\s=\]"]{1,32}(?: [^\s=\]"]{1,32}="(?:[^"\\]|\\.)*")*\]/y;

function peelNew(line: string, { timeZone }: ParseContext): Peeled | undefined {
  if (!line.includes('>1 ')) return undefined;
  const [head, time = '', host = '', program = ''] = NEW.exec(line) ?? [];
  if (head === undefined) return undefined;
  let at = head.length;
  if (line.charCodeAt(at) === 45) at++;
  else {
    for (ELEMENT.lastIndex = at; ELEMENT.test(line); at = ELEMENT.lastIndex);
    if (at === head.length) return undefined;
  }
  const payload = line.slice(at).replace(/^ ?\uFEFF?/, '');
  return { payload, stamp: time === '-' ? null : parseIso(time, timeZone), stream: `${host} ${program}` };
}

const ISO = /^(\d{4}-\d\d-\d\dT\S{8,26}) (?=\S)/;

function peelIso(line: string, { timeZone }: ParseContext): Peeled | undefined {
  if (line.charCodeAt(4) !== 45 || line.charCodeAt(10) !== 84) return undefined;
  const [head, time = ''] = ISO.exec(line) ?? [];
  const stamp = head === undefined ? null : parseIso(time, timeZone);
  const peeled = head === undefined || stamp === null ? undefined : peelTag(line.slice(head.length), stamp);
  // Without a host the word before the colon may be anything.
  return peeled?.stream?.startsWith(' ') === true ? undefined : peeled;
}

export const syslog3164: Wrapper = {
  name: 'syslog-3164',
  title: 'syslog (RFC 3164), journalctl -o short',
  spec: SPEC_3164,
  isSure: true,
  peel: peelOld,
  samples: [
    { line: '<190>Nov  5 23:02:05 edge1 nginx: GET /mcp', expect: { payload: 'GET /mcp', stream: 'edge1 nginx' } },
    {
      line: 'Nov 25 2026 23:02:05 edge1 haproxy[812]: x',
      expect: { payload: 'x', stream: 'edge1 haproxy', ts: 1_795_647_725_000_000 },
    },
    { line: '<134>Nov 25 23:02:05 haproxy[812]: x', expect: { payload: 'x', stream: ' haproxy' } },
    {
      line: 'Nov 25 23:02:05 edge1 nginx: message repeated 3 times: [ GET /mcp]',
      expect: { payload: 'GET /mcp', stream: 'edge1 nginx', times: 3 },
    },
  ],
};

export const syslog5424: Wrapper = {
  name: 'syslog-5424',
  title: 'syslog (RFC 5424)',
  spec: 'https://www.rfc-editor.org/rfc/rfc5424',
  isSure: true,
  peel: peelNew,
  samples: [
    {
      line: '<165>1 2026-11-25T23:02:06.003Z edge1 nginx 812 - - GET /mcp',
      expect: { payload: 'GET /mcp', stream: 'edge1 nginx', ts: 1_795_647_726_003_000 },
    },
    {
      line: String.raw`99 <165>1 - edge1 nginx 812 ID47 [a@1 x="]\"]"][b@1] ${'\uFEFF'}GET /mcp`,
      expect: { payload: 'GET /mcp', stream: 'edge1 nginx' },
    },
  ],
};

export const journaldIso: Wrapper = {
  name: 'journald-iso',
  title: 'journalctl -o short-iso, rsyslog with ISO stamps',
  spec: 'https://www.freedesktop.org/software/systemd/man/latest/journalctl.html',
  isSure: true,
  peel: peelIso,
  samples: [
    {
      line: '2026-11-25T23:02:06+0000 edge1 nginx[812]: GET /mcp',
      expect: { payload: 'GET /mcp', stream: 'edge1 nginx', ts: 1_795_647_726_000_000 },
    },
  ],
};
