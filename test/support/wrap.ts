// Puts log lines into the wrappers that they come in.
import type { WrapperName } from '../../src/read/wrappers/index.ts';

/** What wraps a line, as text again; one line may become several. */
export type Wrap = (line: string, index: number) => string[];

const seconds = (index: number) =>
  `2026-11-25T23:${String(Math.floor(index / 60) % 60).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}`;
const clock = (index: number) => seconds(index).slice(11);
const micros = (index: number) => String(Date.parse(`${seconds(index)}Z`) * 1000);

export const WRAPS: Partial<Record<WrapperName, Wrap>> = {
  ansi: (line) => [`\u001b[36m${line}\u001b[0m`],
  cri: (line, index) => [`${seconds(index)}.000000004Z stdout F ${line}`],
  'docker-json': (line, index) => [JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: `${seconds(index)}.000000001Z` })],
  'journald-json': (line, index) => [
    JSON.stringify({ __REALTIME_TIMESTAMP: micros(index), _SYSTEMD_UNIT: 'app.service', MESSAGE: line }),
  ],
  'cloudwatch-json': (line, index) => [
    JSON.stringify({ logStreamName: 'web', timestamp: Number(micros(index)) / 1000, message: line, eventId: String(index) }),
  ],
  'loki-json': (line, index) => [JSON.stringify({ labels: { app: 'web' }, line, timestamp: `${seconds(index)}Z` })],
  'syslog-5424': (line, index) => [`<165>1 ${seconds(index)}.000Z edge1 app 812 - - ${line}`],
  'syslog-3164': (line, index) => [`<190>Nov 25 ${clock(index)} edge1 app[812]: ${line}`],
  'journald-iso': (line, index) => [`${seconds(index)}+0000 edge1 app[812]: ${line}`],
  tail: (line, index) => (index % 10 === 0 ? [`==> /var/log/${index % 20}.log <==`, line, ''] : [line]),
  kubectl: (line) => [`[pod/web-7d9f8b6c5-x2x4z/app] ${line}`],
  loki: (line, index) => [`${seconds(index)}Z {app="web", pod="web-0"} ${line}`],
  cloudwatch: (line, index) => [`${seconds(index)}+00:00 ecs/web/0a1b2c ${line}`],
  compose: (line) => [`web-1  | ${line}`],
  stern: (line) => [`web-7d9f8b6c5-x2x4z app ${line}`],
  timestamps: (line, index) => [`${seconds(index)}.000000001Z ${line}`],
  'python-logging': (line, index) => [`${seconds(index).replace('T', ' ')},000 app.access INFO ${line}`],
  'json-envelope': (line, index) => [JSON.stringify({ level: 'info', ts: Number(micros(index)) / 1e6, msg: line })],
  logfmt: (line, index) => [`time=${seconds(index)}.000Z level=INFO msg=${JSON.stringify(line)} app=web`],
};

/** Wrappers that cut long lines, cutting every line. */
export const CUTTERS: Record<string, Wrap> = {
  'cri in pieces': (line, index) =>
    piecesOf(line).map((piece, at, all) => `${seconds(index)}.000000004Z stdout ${at === all.length - 1 ? 'F' : 'P'} ${piece}`),
  // Pieces this short are believed once a newline was seen.
  'docker in pieces': (line, index) =>
    [...(index === 0 ? ['\n'] : []), ...piecesOf(`${line}\n`)].map((log) =>
      JSON.stringify({ log, stream: 'stderr', time: `${seconds(index)}Z` }),
    ),
};

function piecesOf(line: string): string[] {
  const third = Math.max(1, Math.ceil(line.length / 3));
  return [line.slice(0, third), line.slice(third, 2 * third), line.slice(2 * third)];
}

/** Returns lines wrapped by each of some wraps, the first innermost. */
export function wrapAll(lines: readonly string[], wraps: readonly Wrap[]): string[] {
  return wraps.reduce<string[]>((all, wrap) => all.flatMap((line, index) => wrap(line, index)), [...lines]);
}
