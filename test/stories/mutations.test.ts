// What a story tells does not depend on how it is written down: each is told once more, with changes drawn by its name.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Findings } from '../../src/findings/findings.ts';
import { readInputs } from '../../src/ingest/read-inputs.ts';
import { analyseTables } from '../../src/ingest/run.ts';
import { openBytes } from '../../src/read/bytes.ts';
import { openDatabase } from '../../src/store/database.ts';
import {
  documentsOf,
  expectationOf,
  figuresOf,
  labelsOf,
  listStories,
  logsOf,
  ROOT,
  STAMP,
  type Expectation,
} from '../support/stories/expectation.ts';
import { chooseMutations, rename, RENAMING, type Logs } from '../support/stories/mutations.ts';
import { between, seeded } from '../support/stories/random.ts';

interface Telling {
  logs: Logs;
  /** Bytes that are read and parsed at once. */
  chunkSize: number;
  blockSize: number;
}

/** Returns the report over logs whose files are given last first, read in small pieces. */
async function retell(story: string, { logs, chunkSize, blockSize }: Telling): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'stormgate-mutation-'));
  const database = await openDatabase({ threads: 1 });
  try {
    const inputs = Object.entries(logs).map(([name, text]) => {
      writeFileSync(join(folder, name), text);
      return { name: join(folder, name), bytes: Buffer.byteLength(text) };
    });
    await readInputs(database, inputs.toReversed(), {
      timeZone: 'UTC',
      threads: 1,
      blockSize,
      onWarning: () => undefined,
      open: (input, options) => {
        const opened = openBytes(input, options);
        return { ...opened, chunks: recut(opened.chunks, chunkSize) };
      },
    });
    const run = await analyseTables(database, { documents: documentsOf(story), endpoints: [], infer: true, settings: {} });
    return await run.findings(STAMP);
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function* recut(chunks: AsyncIterable<Uint8Array>, size: number): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += size) yield chunk.subarray(start, start + size);
  }
}

function readLogs(story: string): Logs {
  return Object.fromEntries(logsOf(story).map((name) => [name, readFileSync(join(ROOT, story, name), 'utf8')]));
}

describe.each(listStories())('the story %s', (story) => {
  const plain = expectationOf(story);
  const random = seeded(story);
  const chosen = chooseMutations(
    plain.findings.map(({ rule }) => rule),
    random,
  );

  it(`is the same with ${chosen.map(({ name }) => name).join(', ')}`, async () => {
    const logs = chosen.reduce((before, mutation) => mutation.logs(before, random), readLogs(story));
    const size = { chunkSize: between(random, 50, 4000), blockSize: between(random, 300, 3000) };
    const found = await retell(story, { logs, ...size });
    const expected = chosen.includes(RENAMING) ? (JSON.parse(rename(JSON.stringify(plain))) as Expectation) : plain;
    expect(labelsOf(found)).toEqual(labelsOf(expected));
    expect(figuresOf(found)).toEqual(figuresOf(expected));
    expect(found).toMatchObject(plain.report);
  });
});
