// The committed logs of samples/stories are what their scripts write today, and hold nothing real.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { STORIES } from '../support/stories/index.ts';

const ROOT = fileURLToPath(new URL('../../samples/stories/', import.meta.url));

describe.each(Object.entries(STORIES))('the script of %s', (story, make) => {
  it('writes the same bytes again', () => {
    const written = Object.keys(make()).map((file) => [file, readFileSync(join(ROOT, story, file), 'utf8')]);
    expect(Object.fromEntries(written)).toEqual(make());
  });

  it('uses documentation addresses and example names only', () => {
    const text = Object.values(make()).join('\n');
    const addresses = text.match(/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g) ?? [];
    expect(addresses.filter((address) => !/^(?:192\.0\.2|198\.51\.100|203\.0\.113)\./.test(address))).toEqual([]);
    expect(text).not.toMatch(/bearer (?!realm|error|resource_metadata)|eyJ[\w-]{10}|sk-[\w]{8}|api[_-]?key/i);
  });
});
