// A log as a server writes it and a rotation moves it about; every line names itself, so that an independent count is possible.
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export interface RotatingLog {
  readonly path: string;
  /** Whole lines that were ever written. */
  readonly lines: number;
  /** Writes lines with stamps from a moment (milliseconds) on, one a second. */
  append(count: number, at: number): void;
  /** Writes the beginning of a line; the next lines go behind its end. */
  appendPart(at: number): void;
  rename(): void;
  copyTruncate(): void;
  rotateByDate(date: string): void;
  /** Packs the oldest rotated file that is not packed. */
  pack(): void;
  /** Removes the oldest rotated file, if so many are there. */
  removeBeyond(count: number): void;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Returns the line with a number; every seventh is refused, from one of a few clients. */
export function numberedLine(n: number, at: number): string {
  const date = new Date(at);
  const day = `${two(date.getUTCDate())}/${MONTHS[date.getUTCMonth()] ?? ''}/${date.getUTCFullYear()}`;
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':');
  return `203.0.113.${n % 5} - - [${day}:${time} +0000] "GET /item/${n} HTTP/1.1" ${n % 7 === 0 ? 404 : 200} 12 "-" "client/${n % 5}"\n`;
}

/** Returns an empty log in a folder. */
export function openLog(folder: string, name = 'access.log'): RotatingLog {
  const path = join(folder, name);
  let lines = 0;
  let rest = '';
  writeFileSync(path, '');

  const finish = (): void => {
    if (rest === '') return;
    appendFileSync(path, rest);
    rest = '';
    lines++;
  };
  const rotated = (): string[] =>
    readdirSync(folder)
      .filter((file) => file.startsWith(`${name}.`) || file.startsWith(`${name}-`))
      .toSorted((a, b) => statSync(join(folder, a)).mtimeMs - statSync(join(folder, b)).mtimeMs || (a < b ? -1 : 1));
  const shift = (): void => {
    for (let n = 30; n >= 1; n--)
      for (const suffix of ['', '.gz'])
        if (existsSync(`${path}.${n}${suffix}`)) renameSync(`${path}.${n}${suffix}`, `${path}.${n + 1}${suffix}`);
  };

  return {
    path,
    get lines() {
      return lines;
    },
    append(count, at) {
      finish();
      let text = '';
      for (let index = 0; index < count; index++) text += numberedLine(lines++, at + index * 1000);
      appendFileSync(path, text);
    },
    appendPart(at) {
      finish();
      const line = numberedLine(lines, at);
      appendFileSync(path, line.slice(0, 30));
      rest = line.slice(30);
    },
    rename() {
      finish();
      shift();
      renameSync(path, `${path}.1`);
      writeFileSync(path, '');
    },
    copyTruncate() {
      finish();
      shift();
      copyFileSync(path, `${path}.1`);
      truncateSync(path);
    },
    rotateByDate(date) {
      finish();
      if (existsSync(`${path}-${date}`) || existsSync(`${path}-${date}.gz`)) return;
      renameSync(path, `${path}-${date}`);
      writeFileSync(path, '');
    },
    pack() {
      const oldest = rotated().find((file) => !file.endsWith('.gz'));
      if (oldest === undefined) return;
      writeFileSync(join(folder, `${oldest}.gz`), gzipSync(readFileSync(join(folder, oldest))));
      unlinkSync(join(folder, oldest));
    },
    removeBeyond(count) {
      const files = rotated();
      const [oldest] = files;
      if (oldest !== undefined && files.length > count) unlinkSync(join(folder, oldest));
    },
  };
}
