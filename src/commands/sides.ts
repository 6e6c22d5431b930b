// The two sides of a comparison: a JSON report, a kept database, or a log that is read now.
import { open, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Side } from '../compare/comparison.ts';
import { InputError } from '../errors.ts';
import { REPORT_SCHEMA, type Findings } from '../findings/findings.ts';
import * as messages from '../messages.ts';
import { ANALYSIS_FLAGS, analysisRequest, databaseOptions, openAnalysis } from './analysis.ts';
import type { Call } from './command.ts';

const HEAD_BYTES = 512;
const DUCKDB_MAGIC = 'DUCK';

export interface Stamp {
  generatedAt: string;
  version: string;
}

/** Returns the report of what an operand names. */
export async function openSide(
  name: string,
  call: Pick<Call<typeof ANALYSIS_FLAGS>, 'flags' | 'settings'>,
  stamp: Stamp,
): Promise<Side> {
  const head = await maybeHead(name);
  const shown = name === '-' ? 'standard input' : basename(name) || name;
  if (head.subarray(8, 12).toString('latin1') === DUCKDB_MAGIC)
    return { name: shown, findings: await keptFindings(name, call, stamp) };
  if (isReport(head)) return { name: shown, findings: await reportOf(name) };
  const analysis = await openAnalysis(await analysisRequest([name], call), call.flags);
  try {
    return { name: shown, findings: await analysis.findings(stamp) };
  } finally {
    await analysis.close();
  }
}

/** The first bytes of a plain file; nothing of anything else, which only reading can tell. */
async function maybeHead(name: string): Promise<Buffer> {
  const file = await open(name, 'r').catch(() => undefined);
  if (file === undefined) return Buffer.alloc(0);
  try {
    if (!(await file.stat()).isFile()) return Buffer.alloc(0);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function isReport(head: Buffer): boolean {
  return /^\uFEFF?\s*\{\s*"schema"\s*:\s*"stormgate\.report\//.test(head.toString('utf8'));
}

async function reportOf(name: string): Promise<Findings> {
  let findings: Findings;
  try {
    findings = JSON.parse(await readFile(name, 'utf8')) as Findings;
  } catch (error) {
    throw new InputError(messages.cannotRead('report', name), { reason: (error as Error).message }, { cause: error });
  }
  if (findings.schema !== REPORT_SCHEMA) throw new InputError(messages.otherSchema(name, String(findings.schema), REPORT_SCHEMA));
  const { requests, storms, savings, visibility, window, contract, clients, tool } = findings;
  const isWhole = [requests?.by_kind, savings, visibility, window, contract, clients, tool].every(
    (part) => typeof part === 'object',
  );
  if (!isWhole || !Array.isArray(storms)) throw new InputError(messages.brokenReport(name));
  return findings;
}

async function keptFindings(
  name: string,
  { flags }: Pick<Call<typeof ANALYSIS_FLAGS>, 'flags'>,
  stamp: Stamp,
): Promise<Findings> {
  const [{ openKeptDatabase }, { readKeptFindings }] = await Promise.all([
    import('../store/database.ts'),
    import('../findings/kept.ts'),
  ]);
  const { path: _path, ...options } = databaseOptions(flags);
  const database = await openKeptDatabase(name, options);
  try {
    return await readKeptFindings(database, stamp);
  } finally {
    await database.close();
  }
}
