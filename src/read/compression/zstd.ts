// Zstandard, frame after frame.
import { Decompress } from 'fzstd';
import { beginsWith, decodeAll, type Compression } from './compression.ts';

/** A frame, or one of the skippable frames that pzstd puts in front. */
const FRAME = [0x28, 0xb5, 0x2f, 0xfd];
const SKIPPABLE = [0x2a, 0x4d, 0x18];

export const zstd: Compression = {
  name: 'zstd',
  isOwn: (head) => beginsWith(head, FRAME) || (((head[0] ?? 0) & 0xf0) === 0x50 && beginsWith(head.subarray(1), SKIPPABLE)),
  decompress(chunks) {
    let give: (bytes: Uint8Array) => void;
    const decoder = new Decompress((bytes) => void (bytes.length > 0 && give(bytes)));
    return decodeAll(
      {
        push(piece, to) {
          give = to;
          decoder.push(piece);
        },
        end(to) {
          give = to;
          decoder.push(new Uint8Array(0), true);
        },
      },
      chunks,
    );
  },
};
