// Writes archives as tar and zip do, in memory.
import { crc32 } from './crc32.ts';
import { deflateRawSync } from 'node:zlib';

export interface TestFile {
  name: string;
  bytes: Uint8Array | string;
  /** Seconds since the epoch. */
  modified?: number;
}

function field(text: string, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.write(text);
  return bytes;
}

function tarHeader(name: string, size: number, modified: number, type: string): Buffer {
  const octal = (value: number, length: number) => field(`${value.toString(8).padStart(length - 1, '0')}\0`, length);
  const header = Buffer.concat([
    field(name.slice(0, 100), 100),
    octal(0o644, 8),
    octal(0, 8),
    octal(0, 8),
    octal(size, 12),
    octal(modified, 12),
    Buffer.alloc(8, ' '),
    field(type, 1),
    Buffer.alloc(100),
    Buffer.from('ustar\x0000'),
    Buffer.alloc(247),
  ]);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);

/** Returns a tar of some files; long names are told as `pax` or `gnu` writers do. */
export function tarOf(files: readonly TestFile[], long: 'pax' | 'gnu' = 'pax'): Buffer {
  const parts = files.flatMap(({ name, bytes, modified = 0 }) => {
    const data = Buffer.from(bytes as string);
    const member = [tarHeader(name, data.length, modified, name.endsWith('/') ? '5' : '0'), padded(data)];
    if (name.length <= 100) return member;
    const facts = long === 'gnu' ? Buffer.from(`${name}\0`) : Buffer.from(paxRecord('path', name));
    return [tarHeader('facts', facts.length, 0, long === 'gnu' ? 'L' : 'x'), padded(facts), ...member];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const length = rest.length + String(rest.length).length;
  return `${String(length).length + rest.length}${rest}`;
}

/** Returns a zip of some files: deflated or stored, and sizes before the data or, as from a pipe, behind it. */
export function zipOf(files: readonly TestFile[], { isStored = false, isPiped = false } = {}): Buffer {
  const parts = files.map(({ name, bytes }) => {
    const data = Buffer.from(bytes as string);
    const packed = isStored ? data : deflateRawSync(data);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(20, 4);
    header.writeUInt16LE(isPiped ? 8 : 0, 6);
    header.writeUInt16LE(isStored ? 0 : 8, 8);
    header.writeUInt16LE(0x5821, 12);
    const facts = Buffer.alloc(16);
    facts.writeUInt32LE(0x08074b50, 0);
    facts.writeUInt32LE(crc32(data), 4);
    facts.writeUInt32LE(packed.length, 8);
    facts.writeUInt32LE(data.length, 12);
    if (!isPiped) facts.copy(header, 14, 4);
    header.writeUInt16LE(Buffer.byteLength(name), 26);
    return Buffer.concat([header, Buffer.from(name), packed, ...(isPiped ? [facts] : [])]);
  });
  const directory = Buffer.alloc(46);
  directory.writeUInt32LE(0x02014b50, 0);
  return Buffer.concat([...parts, directory]);
}
