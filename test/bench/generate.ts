// Access logs of any size that look like traffic, from a seed: `npx tsx test/bench/generate.ts --shape json --lines 3000000 --out FILE`.
// Each operation has its usual answer, under a tenth is refused, a few clients storm, and now and then the servers fail or throttle.
import { closeSync, existsSync, openSync, renameSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { between, letters, pick, seeded, type Random } from '../support/stories/random.ts';

export const SHAPES = ['combined', 'json'] as const;
export type Shape = (typeof SHAPES)[number];

export interface Traffic {
  shape: Shape;
  lines: number;
  /** Distinct clients and targets, both met by Zipf's law with a long tail. */
  clients: number;
  paths: number;
  seed: number;
}

export const USUAL_TRAFFIC = { clients: 20_000, paths: 3000, seed: 1 } as const;

interface Target {
  method: string;
  path: string;
  status: number;
  rpc: string;
}

interface Client {
  address: string;
  agent: string;
}

const START = Date.UTC(2026, 10, 5);
const DAY_MS = 86_400_000;
const CHUNK_CHARACTERS = 1 << 21;
const STORMS = 24;
const STORM_SHARE = 0.008;
const FAILURE_SHARE = 0.006;
/** Refused requests come from all clients alike; few of the refusals are of a route, and of those each client meets one only. */
const REFUSED_SHARE = 0.06;
const ROUTE_SHARE = 0.04;
const TAIL_SHARE = 0.1;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const AGENTS = [
  'python-httpx/0.28.1',
  'node',
  'Go-http-client/2.0',
  'okhttp/4.12.0',
  'curl/8.14.1',
  'a2a-python/1.0.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
] as const;
const AREAS = ['items', 'orders', 'users', 'reports', 'search', 'sessions', 'files', 'events'] as const;
const RPC_METHODS = ['tools/call', 'tools/list', 'resources/read', 'server/discover', 'prompts/get'] as const;
const ROUTE_REFUSALS = [404, 405, 404, 410] as const;
const OTHER_REFUSALS = [401, 403, 404, 422] as const;
const FAILURES = [503, 502, 429, 503, 504, 429] as const;
const GUESSES: Target[] = ['/mcp/mcp', '/mcp/sse', '/mcp/a2a/', '/api/mcp', '/v1/mcp'].map((path) => ({
  method: 'POST',
  path,
  status: 404,
  rpc: '',
}));
const THROTTLED: Target = { method: 'GET', path: '/api/v2/export', status: 429, rpc: '' };

function makeClient(index: number, random: Random): Client {
  const address =
    index % 5 === 0 ? `2001:db8:${(index >>> 16).toString(16)}:${(index & 0xffff).toString(16)}::1` : spreadAddress(index);
  return { address, agent: pick(random, AGENTS) };
}

/** The three documentation networks hold 762 hosts only, so beyond them clients are told apart by private addresses. */
function spreadAddress(index: number): string {
  return index < 250 ? `198.51.100.${index + 1}` : `10.${(index >>> 16) & 255}.${(index >>> 8) & 255}.${index & 255}`;
}

function makeTarget(index: number, random: Random): Target {
  if (index < 5) return { method: 'POST', path: '/mcp', status: 200, rpc: RPC_METHODS[index] ?? 'tools/call' };
  const area = AREAS[index % AREAS.length];
  const path = index % 3 === 0 ? `/api/v2/${area}/${letters(random, 10)}` : `/api/v2/${area}/${index.toString(36)}/summary`;
  return { method: index % 4 === 3 ? 'POST' : 'GET', path, status: 200, rpc: '' };
}

function makeRefusedRoute(index: number, random: Random): Target {
  return {
    method: 'POST',
    path: `/api/v1/${AREAS[index % AREAS.length]}/${index.toString(36)}`,
    status: pick(random, ROUTE_REFUSALS),
    rpc: '',
  };
}

function makeRefusedRecord(index: number, random: Random): Target {
  const path = `/api/v2/${AREAS[index % AREAS.length]}/${letters(random, 10)}`;
  return { method: 'GET', path, status: pick(random, OTHER_REFUSALS), rpc: '' };
}

/** Returns a draw over `count` things by Zipf's law (exponent 1), a tenth of it evenly so that the tail is met too. */
function zipf(count: number, random: Random): () => number {
  const table = new Uint32Array(1 << 18);
  const harmonic = Math.log(count) + 0.5772;
  for (let slot = 0; slot < table.length; slot += 1) {
    const rank = Math.exp(((slot + 0.5) / table.length) * harmonic) / 1.781;
    table[slot] = Math.min(count - 1, Math.floor(rank));
  }
  return () => (random() < TAIL_SHARE ? Math.floor(random() * count) : (table[Math.floor(random() * table.length)] ?? 0));
}

type Stamp = (ms: number) => string;

/** Returns a writer of stamps that formats each second once. */
function perSecond(format: (iso: string) => string): Stamp {
  let second = -1;
  let text = '';
  return (ms) => {
    const now = Math.floor(ms / 1000);
    if (now !== second) {
      second = now;
      text = format(new Date(now * 1000).toISOString());
    }
    return text;
  };
}

const clfStamp = perSecond(
  (iso) => `${iso.slice(8, 10)}/${MONTHS[Number(iso.slice(5, 7)) - 1]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`,
);
const isoStamp = perSecond((iso) => `${iso.slice(0, 19)}+00:00`);

function combinedLine(ms: number, client: Client, target: Target, status: number, bytes: number): string {
  return `${client.address} - - [${clfStamp(ms)}] "${target.method} ${target.path} HTTP/1.1" ${status} ${bytes} "-" "${client.agent}"\n`;
}

function jsonLine(ms: number, client: Client, target: Target, status: number, bytes: number): string {
  return (
    `{"time_iso8601":"${isoStamp(ms)}","remote_addr":"${client.address}","request_method":"${target.method}","request_uri":"${target.path}",` +
    `"status":"${status}","body_bytes_sent":"${bytes}","request_time":"0.0${10 + (bytes % 90)}",` +
    `"http_mcp_method":"${target.rpc}","http_user_agent":"${client.agent}"}\n`
  );
}

const LINE_OF = { combined: combinedLine, json: jsonLine } as const;

/** Yields the log in pieces of some megabytes. */
export function* pieces({ shape, lines, clients, paths, seed }: Traffic): Generator<string> {
  const random = seeded(`${shape} ${seed}`);
  const people = Array.from({ length: clients }, (_, index) => makeClient(index, random));
  const stormers = Array.from({ length: STORMS }, (_, index): Client => ({
    address: `203.0.113.${index + 1}`,
    agent: 'mesh-router/0.4',
  }));
  const refused = Math.ceil(paths / 10);
  const targets = Array.from({ length: paths - refused }, (_, index) => makeTarget(index, random));
  const routes = Array.from({ length: Math.ceil(refused / 4) }, (_, index) => makeRefusedRoute(index, random));
  const records = Array.from({ length: refused - routes.length }, (_, index) => makeRefusedRecord(index, random));
  const someone = zipf(clients, random);
  const something = zipf(targets.length, random);
  const lineOf = LINE_OF[shape];
  let piece = '';
  for (let line = 0; line < lines; line += 1) {
    const ms = START + (line / lines) * DAY_MS;
    const bytes = between(random, 60, 9000);
    const chance = random();
    if (chance < STORM_SHARE) {
      const storm = Math.floor((line / lines) * STORMS);
      const target = storm % 4 === 3 ? THROTTLED : (GUESSES[Math.floor(random() * GUESSES.length)] ?? THROTTLED);
      piece += lineOf(ms, stormers[storm] as Client, target, target.status, 153);
    } else if (chance < STORM_SHARE + REFUSED_SHARE) {
      const person = Math.floor(random() * clients);
      const target = random() < ROUTE_SHARE ? routes[person % routes.length] : records[Math.floor(random() * records.length)];
      piece += lineOf(ms, people[person] as Client, target as Target, (target as Target).status, bytes);
    } else {
      const target = targets[something()] as Target;
      const status = chance > 1 - FAILURE_SHARE ? pick(random, FAILURES) : target.status;
      piece += lineOf(ms, people[someone()] as Client, target, status, bytes);
    }
    if (piece.length < CHUNK_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** Writes the log to a file, whole or not at all. */
export function writeTraffic(file: string, traffic: Traffic): void {
  const output = openSync(`${file}.part`, 'w');
  for (const piece of pieces(traffic)) writeSync(output, piece, null, 'latin1');
  closeSync(output);
  renameSync(`${file}.part`, file);
}

/** Returns the path of a log in the temporary folder; it is written the first time and used again after that. */
export function keptTraffic(traffic: Traffic): string {
  const { shape, lines, clients, paths, seed } = traffic;
  const file = join(tmpdir(), `stormgate-bench-${shape}-${lines}-${clients}-${paths}-${seed}.log`);
  if (!existsSync(file)) writeTraffic(file, traffic);
  return file;
}

function main(): void {
  const { values } = parseArgs({
    options: {
      shape: { type: 'string', default: 'combined' },
      lines: { type: 'string', default: '3000000' },
      clients: { type: 'string', default: String(USUAL_TRAFFIC.clients) },
      paths: { type: 'string', default: String(USUAL_TRAFFIC.paths) },
      seed: { type: 'string', default: String(USUAL_TRAFFIC.seed) },
      out: { type: 'string' },
    },
  });
  const shape = SHAPES.find((known) => known === values.shape);
  if (shape === undefined) throw new Error(`unknown shape: "${values.shape}"; known: ${SHAPES.join(', ')}`);
  const traffic = {
    shape,
    lines: Number(values.lines),
    clients: Number(values.clients),
    paths: Number(values.paths),
    seed: Number(values.seed),
  };
  if (values.out === undefined) console.log(keptTraffic(traffic));
  else writeTraffic(values.out, traffic);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) main();
