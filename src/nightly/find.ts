// What of the files of a source is new: each file is recognised by its content, wherever it was moved, copied, packed or truncated to.
import { HEAD, hashOf, type Content } from './content.ts';

const LF = 0x0a;
/** Line ends in the head whose hashes are kept: enough to tell a file that has become short from another one. */
const HEAD_MARKS = 64;

/** A log as it was written, through all rotations of its file. */
export interface Generation {
  /** Of its rows; a decimal BIGINT. */
  id: string;
  /** The source of the config that it belongs to. */
  source: string;
  /** Made of its content, so that it is called the same whenever it is found. */
  name: string;
  /** How reports call it. */
  title: string;
  format: string;
  /** Where it was seen last. */
  path: string;
  head: readonly Mark[];
  /** Bytes of content that were read. */
  position: number;
  lines: number;
  /** Hash of what stands before the position. */
  mark: string;
  /** Where earlier readings ended, by which a log that was cut off in the middle is recognised. */
  ends: readonly End[];
  seenSize: number;
  /** The night that found a last line without its end. */
  partialNight: string | null;
  lastNight: string;
}

export interface Mark {
  length: number;
  hash: string;
}

export interface End {
  position: number;
  lines: number;
  mark: string;
}

export interface Found {
  path: string;
  content: Content;
}

/** A file and what is to be read of it. */
export interface Reading extends Found {
  /** The log that it continues; undefined for one that nobody has seen. */
  generation: Generation | undefined;
  /** Where another log turned off from a known one: what stands before was read already. */
  fork: End | undefined;
  from: number;
  to: number;
  /** A last line without its end stays for the next run. */
  isPartial: boolean;
}

/** Returns hashes of the head at its line ends, as far as the content was read. */
export function headMarks(head: Buffer, upTo: number): Mark[] {
  const known = head.subarray(0, upTo);
  const marks: Mark[] = [];
  for (let at = known.indexOf(LF); at >= 0 && marks.length < HEAD_MARKS; at = known.indexOf(LF, at + 1))
    marks.push({ length: at + 1, hash: hashOf(known.subarray(0, at + 1)) });
  if (marks.length === 0 && known.length === HEAD) marks.push({ length: HEAD, hash: hashOf(known) });
  return marks;
}

/** Returns whether a head is that of a generation, or as much of it as a file that has become short still shows. */
export function isHeadOf(head: Buffer, { head: marks }: Pick<Generation, 'head'>): boolean {
  const inside = marks.filter(({ length }) => length <= head.length);
  const last = inside.at(-1);
  if (last === undefined || hashOf(head.subarray(0, last.length)) !== last.hash) return false;
  return inside.length === marks.length || head.length < HEAD;
}

/** Returns positions before which the content of a file with this head must be hashed. */
export function askedPositions(head: Buffer, generations: readonly Generation[]): number[] {
  const near = generations.filter((generation) => isHeadOf(head, generation));
  return [...new Set(near.flatMap(({ position, ends }) => ends.map((end) => end.position).concat(position)))];
}

/** Returns what is to be read of the files of one source on a night; files that hold nothing new, or copies of others, are left out. */
export async function planReadings(
  files: readonly Found[],
  generations: readonly Generation[],
  night: string,
): Promise<Reading[]> {
  const readings: Reading[] = [];
  const taken: Found[] = [];
  const byLength = files.toSorted((a, b) => b.content.wholeLines - a.content.wholeLines || (a.path < b.path ? -1 : 1));
  for (const file of byLength) {
    if (file.content.size === 0 || (await isCopy(file, taken))) continue;
    const isFree = (generation: Generation) => !readings.some((reading) => reading.generation === generation);
    const place = await placeOf(file, generations, isFree);
    if (place === undefined) continue;
    taken.push(file);
    readings.push({ ...file, ...place, ...extent(file.content, place, night) });
  }
  return readings;
}

/** A file that another, longer one begins with: a copy, whole or in the making, or what truncating left of it. */
async function isCopy({ content }: Found, taken: readonly Found[]): Promise<boolean> {
  for (const { content: other } of taken) {
    const head = Math.min(content.head.length, other.head.length, content.wholeLines);
    if (!content.head.subarray(0, head).equals(other.head.subarray(0, head)) || content.wholeLines === 0) continue;
    const ends = await Promise.all([content.markAt(content.wholeLines), other.markAt(content.wholeLines)]);
    if (ends[0] !== undefined && ends[0] === ends[1]) return true;
  }
  return false;
}

type Place = Pick<Reading, 'generation' | 'fork' | 'from'>;

/** Where a file stands: at the position of a log, beside one that it turned off from, or at the beginning of a new one. */
async function placeOf(
  { content }: Found,
  generations: readonly Generation[],
  isFree: (generation: Generation) => boolean,
): Promise<Place | undefined> {
  const near = generations.filter((generation) => isHeadOf(content.head, generation));
  const continued = near
    .filter(({ position, mark }) => content.marks.get(position) === mark)
    .toSorted((a, b) => b.position - a.position);
  const [first] = continued;
  if (first !== undefined) {
    const generation = continued.find((one) => one.position === first.position && isFree(one));
    if (generation !== undefined) return { generation, fork: undefined, from: generation.position };
    return { generation: undefined, fork: first, from: first.position };
  }
  const cut = near.find(({ position }) => content.size < position);
  if (cut !== undefined) {
    const lines = await countLines(content, content.wholeLines);
    const mark = (await content.markAt(content.wholeLines)) ?? '';
    return { generation: undefined, fork: { position: content.wholeLines, lines, mark }, from: content.wholeLines };
  }
  const ends = near.flatMap((one) => one.ends).filter(({ position, mark }) => content.marks.get(position) === mark);
  const fork = ends.toSorted((a, b) => b.position - a.position)[0];
  return { generation: undefined, fork, from: fork?.position ?? 0 };
}

async function countLines(content: Content, upTo: number): Promise<number> {
  let lines = 0;
  for await (const chunk of content.read(0, upTo)) for (const byte of chunk) if (byte === LF) lines++;
  return lines;
}

/** How far a file is read: to its last whole line, or to its end where nothing can follow any more. */
function extent(content: Content, { generation, from }: Place, night: string): Pick<Reading, 'to' | 'isPartial'> {
  const hasRest = content.size > content.wholeLines;
  const wasLeft = generation?.partialNight != null && generation.partialNight < night && generation.seenSize === content.size;
  const isWhole = content.isClosed || wasLeft;
  return { to: isWhole ? content.size : Math.max(from, content.wholeLines), isPartial: hasRest && !isWhole };
}
