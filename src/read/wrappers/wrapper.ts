// What a wrapper around log lines is. A new one is a file beside this one, a name in WRAPPER_NAMES and a line in `index.ts`.
import type { ParseContext } from '../../formats/format.ts';
import type { Stamp } from '../../formats/time.ts';

/** Names of the wrappers in the order in which they are tried: those that are sure of themselves first. */
export const WRAPPER_NAMES = [
  'ansi',
  'cri',
  'docker-json',
  'journald-json',
  'cloudwatch-json',
  'loki-json',
  'syslog-5424',
  'syslog-3164',
  'journald-iso',
  'tail',
  'kubectl',
  'loki',
  'cloudwatch',
  'compose',
  'rich',
  'python-logging',
  'stern',
  'timestamps',
  'json-envelope',
  'logfmt',
  'prefix',
] as const;
export type WrapperName = (typeof WRAPPER_NAMES)[number];

/** What was inside, and what the wrapper says of it. */
export interface Peeled {
  payload: string;
  /** When the line was written, if the wrapper tells. */
  stamp?: Stamp | null;
  /** Which of several streams the line is of: pieces are joined within one. */
  stream?: string;
  /** The payload is a piece that goes on in the next line of the stream. */
  continues?: true;
  /** Further lines may belong to this one. */
  isOpen?: true;
  /** The payload belongs to the line before, behind this. */
  appendedBy?: string;
  /** The payload is nothing but the heading of the lines that follow, which are of this stream. */
  isHeading?: true;
  /** The line stands for so many equal ones. */
  times?: number;
}

export type Peel = (line: string) => Peeled | undefined;

export interface WrapperSample {
  line: string;
  expect: Omit<Peeled, 'stamp'> & { ts?: number };
}

export interface Wrapper {
  readonly name: WrapperName;
  /** For people: `container runtime (CRI)`. */
  readonly title: string;
  readonly spec: string;
  /** What it matches is wrapped so, whatever is inside; of all others only what is understood inside is believed. */
  readonly isSure: boolean;
  /** Pure. Says what a line is by itself, or undefined if it is not wrapped this way. */
  peel(line: string, context: ParseContext): Peeled | undefined;
  /** For wrappers that need what stood before: returns one with memory, one per source. */
  readonly open?: (context: ParseContext) => Peel;
  readonly samples: readonly [WrapperSample, ...WrapperSample[]];
}
