// The lines of a block, as byte ranges or as text.
import { isUtf8 } from 'node:buffer';

const LF = 0x0a;
const CR = 0x0d;
const NUL = 0x00;

/** Calls `visit` with the byte range of each line: without LF, without a CR before it, without leading NULs (holes of a truncated file). */
export function eachLine(block: Uint8Array, visit: (start: number, end: number) => void): void {
  let start = 0;
  while (start < block.length) {
    const found = block.indexOf(LF, start);
    const next = found < 0 ? block.length : found;
    let end = next;
    let begin = start;
    if (end > begin && block[end - 1] === CR) end--;
    while (begin < end && block[begin] === NUL) begin++;
    visit(begin, end);
    start = next + 1;
  }
}

const REPLACEMENT = '\uFFFD';

/** Returns a range as text; bytes that are no UTF-8 become `\xHH`. */
export function lineText(block: Buffer, start: number, end: number): string {
  const text = block.toString('utf8', start, end);
  if (!text.includes(REPLACEMENT) || isUtf8(block.subarray(start, end))) return text;
  return escapeInvalid(block.subarray(start, end));
}

function escapeInvalid(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const size = sequenceLength(bytes[at] ?? 0);
    const piece = bytes.subarray(at, at + size);
    if (piece.length === size && isUtf8(piece)) {
      text += piece.toString('utf8');
      at += size;
    } else {
      text += `\\x${(bytes[at] ?? 0).toString(16).padStart(2, '0').toUpperCase()}`;
      at++;
    }
  }
  return text;
}

function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}
