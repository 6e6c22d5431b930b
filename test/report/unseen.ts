// What no output may send: written down as code points here, apart from the classes by which the escapers find them.

const RANGES = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xe0000, 0xe0fff],
] as const;

const hex = (code: number): string => `\\u{${code.toString(16)}}`;

/** Controls, bidirectional marks, zero-width characters and lone surrogates. */
export const UNSEEN = new RegExp(RANGES.map(([from, to]) => `[${hex(from)}-${hex(to)}]`).join('|'), 'u');
