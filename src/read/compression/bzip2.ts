// bzip2, stream after stream (pbzip2 writes many).
import unbzip2 from 'unbzip2-stream';
import { beginsWith, decodeAll, type Compression } from './compression.ts';

const MAGIC = [0x42, 0x5a, 0x68];
/** The digit of the block size, then the first byte of a block or of the end. */
const isBody = (head: Uint8Array) => {
  const [, , , level = 0, first = 0] = head;
  return level >= 0x31 && level <= 0x39 && (first === 0x31 || first === 0x17);
};

export const bzip2: Compression = {
  name: 'bzip2',
  isOwn: (head) => beginsWith(head, MAGIC) && isBody(head),
  decompress(chunks) {
    const stream = unbzip2();
    let give: (bytes: Uint8Array) => void;
    let fault: Error | undefined;
    stream.on('data', (bytes: Uint8Array) => give(bytes));
    stream.on('error', (error: Error) => (fault ??= error));
    const check = () => {
      // The decoder runs off its last buffer where the data ends early.
      if (fault !== undefined) throw fault instanceof TypeError ? new Error('unexpected end of file') : fault;
    };
    return decodeAll(
      {
        push(piece, to) {
          give = to;
          stream.write(Buffer.from(piece));
          check();
        },
        end(to) {
          give = to;
          stream.end();
          check();
        },
      },
      chunks,
    );
  },
};
