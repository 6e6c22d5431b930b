import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { detectFormat, openFormat, parseLine } from '../../src/formats/detect.ts';
import type { Parsed, Sample } from '../../src/formats/format.ts';
import { FORMATS } from '../../src/formats/index.ts';
import { openPairing } from '../../src/formats/pair.ts';
import { FORMAT_NAMES, type AccessRecord } from '../../src/record.ts';

const CONTEXT = { timeZone: 'UTC' };
const formats = Object.values(FORMATS);

function recordOf(parsed: Parsed): AccessRecord | undefined {
  if (typeof parsed === 'string' || 'reject' in parsed) return undefined;
  return 'records' in parsed ? parsed.records[0] : parsed.halves[0]?.record;
}

function isRequest({ expect: wanted }: Sample): boolean {
  return typeof wanted === 'object' && !('reject' in wanted);
}

test('the registry lists every format name, in detection order', () => {
  expect(Object.keys(FORMATS)).toEqual([...FORMAT_NAMES]);
  for (const name of FORMAT_NAMES) expect(FORMATS[name].name).toBe(name);
});

describe.each(formats)('$name', (format) => {
  test('has samples of a request and of a reject', () => {
    expect(format.samples.some(isRequest)).toBe(true);
    expect(format.samples.some(({ expect: wanted }) => typeof wanted === 'object' && 'reject' in wanted)).toBe(true);
    expect(format.spec).toMatch(/^https:\/\//);
  });

  test.each(format.samples.map((sample) => [sample.line, sample.expect] as const))('reads %s', (line, wanted) => {
    const parsed = format.parse(line, CONTEXT);
    if (typeof wanted === 'string' || 'reject' in wanted) expect(parsed).toEqual(wanted);
    else expect(recordOf(parsed)).toMatchObject(wanted);
  });

  test.each(format.samples.filter(isRequest).map(({ line }) => [line] as const))('is alone in reading %s', (line) => {
    expect(detectFormat([line], CONTEXT)).toBe(format);
    const readers = formats.filter((other) => recordOf(other.parse(line, CONTEXT)) !== undefined);
    expect(readers).toEqual([format]);
  });

  test.each(format.samples.map((sample) => [sample.line, sample.expect] as const))(
    'is found in a stream of any other format: %s',
    (line, wanted) => {
      for (const other of [undefined, ...formats]) {
        const parsed = parseLine(line, other, CONTEXT);
        if (typeof wanted === 'object' && !('reject' in wanted)) expect(parsed).toEqual(format.parse(line, CONTEXT));
        else expect(recordOf(parsed)).toBeUndefined();
      }
    },
  );
});

const SAMPLE_FILES: Record<string, [requests: number, begun: number, parts: number, rejects: number, other: number]> = {
  tagged: [4, 4, 0, 2, 0],
  'mcp-transcript': [7, 6, 4, 1, 1],
  caddy: [6, 6, 0, 1, 2],
  agentgateway: [5, 5, 0, 1, 1],
  json: [5, 5, 0, 1, 1],
  combined: [12, 12, 0, 2, 1],
  uvicorn: [7, 7, 0, 1, 5],
  'ingress-nginx': [6, 6, 0, 1, 2],
  traefik: [6, 6, 0, 1, 2],
  apisix: [5, 5, 0, 1, 1],
  cloudfront: [6, 6, 0, 1, 2],
  w3c: [4, 4, 0, 1, 7],
  'aws-api-gateway': [4, 4, 0, 1, 1],
  cloudflare: [4, 4, 0, 1, 0],
  'aws-alb': [4, 4, 0, 1, 0],
  'aws-elb': [4, 4, 0, 1, 0],
  envoy: [6, 6, 0, 1, 1],
  istio: [4, 4, 0, 1, 1],
  haproxy: [4, 4, 0, 1, 2],
  'nginx-proxy-manager': [7, 7, 0, 1, 1],
  'gcp-load-balancer': [3, 3, 0, 2, 1],
  'azure-front-door': [2, 2, 0, 2, 1],
  'azure-application-gateway': [3, 3, 0, 2, 1],
  'azure-apim-mcp': [2, 2, 0, 3, 0],
  fastly: [3, 3, 0, 2, 0],
  vercel: [2, 2, 0, 2, 1],
  kong: [4, 3, 0, 2, 1],
  tyk: [4, 4, 0, 2, 1],
  contextforge: [3, 3, 1, 2, 1],
  litellm: [3, 3, 0, 2, 2],
  fastmcp: [6, 6, 3, 1, 1],
  'docker-mcp-gateway': [2, 2, 1, 2, 3],
  'pino-http': [3, 3, 1, 2, 3],
  chi: [3, 3, 0, 2, 1],
  morgan: [7, 7, 0, 1, 1],
  hono: [6, 6, 3, 2, 1],
  httpx: [3, 3, 0, 2, 1],
  aiohttp: [3, 3, 0, 2, 1],
  hypercorn: [2, 2, 0, 2, 1],
  supergateway: [3, 3, 3, 2, 2],
  'mcp-remote': [5, 5, 2, 1, 2],
  'claude-desktop': [4, 4, 1, 2, 2],
  'envoy-ai-gateway': [2, 2, 0, 2, 1],
  tomcat: [4, 4, 0, 2, 1],
  har: [3, 3, 0, 2, 0],
  otlp: [4, 4, 0, 1, 1],
  vscode: [5, 5, 1, 2, 2],
};

test.each(FORMAT_NAMES)('every line of samples/formats/%s.log is accounted for', (name) => {
  const text = readFileSync(new URL(`../../samples/formats/${name}.log`, import.meta.url), 'utf8');
  const lines = text.split('\n').slice(0, -1);
  expect(lines.length).toBeGreaterThanOrEqual(5);
  expect(lines.length).toBeLessThanOrEqual(20);
  const format = detectFormat(lines, CONTEXT);
  expect(format).toBe(FORMATS[name]);

  const opened = format && openFormat(format, CONTEXT);
  const pairing = openPairing();
  const counts = { requests: 0, begun: 0, parts: 0, rejects: 0, other: 0 };
  const emit = (): void => void counts.requests++;
  for (const [index, line] of lines.entries()) {
    const parsed = parseLine(line, opened, CONTEXT);
    if (typeof parsed === 'string') counts.other++;
    else if ('reject' in parsed) counts.rejects++;
    else if ('records' in parsed) {
      counts.begun++;
      parsed.records.forEach(emit);
    } else if (pairing.add(parsed.halves, index + 1, emit)) counts.begun++;
    else counts.parts++;
  }
  pairing.end(emit);
  expect(counts.begun + counts.parts + counts.rejects + counts.other).toBe(lines.length);
  expect(Object.values(counts)).toEqual(SAMPLE_FILES[name]);
});
