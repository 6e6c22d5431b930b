import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Findings } from '../../src/findings/findings.ts';
import { analyse } from '../../src/ingest/run.ts';

type Log = [name: string, lines: readonly string[]];

async function reportOf(logs: readonly Log[]): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'stormgate-test-'));
  const inputs = logs.map(([name, lines]) => {
    const path = join(folder, name);
    const text = lines.map((line) => `${line}\n`).join('');
    writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
    return path;
  });
  const analysis = await analyse({
    inputs,
    timeZone: 'UTC',
    documents: [],
    endpoints: [],
    infer: true,
    database: {},
    settings: {},
  });
  const findings = await analysis.findings({ generatedAt: '2026-11-30T00:00:00Z', version: '0' });
  await analysis.close();
  for (const { lines, records, rejects, other, parts, duplicates } of findings.inputs)
    expect(records + rejects + other + parts + duplicates).toBe(lines);
  return {
    ...findings,
    inputs: findings.inputs.map((input) => Object.assign(input, { name: input.name.slice(folder.length + 1) })),
  };
}

function duplicatesOf({ inputs }: Findings): Record<string, number> {
  return Object.fromEntries(inputs.map(({ name, duplicates }) => [name, duplicates]));
}

/** A busy log: several requests a second, of several clients, some of them equal to the byte. */
function busyLines(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const second = String(Math.floor(index / 3) % 60).padStart(2, '0');
    const minute = String(10 + Math.floor(index / 180)).padStart(2, '0');
    const client = `203.0.113.${(index * 7) % 5}`;
    const path = ['mcp', 'mcp', 'sse', 'a2a'][(index * 5) % 4] ?? '';
    return `${client} - - [12/Oct/2026:09:${minute}:${second} +0000] "POST /${path} HTTP/1.1" ${index % 11 === 0 ? 404 : 200} 153 "-" "node"`;
  });
}

function probeLines(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const minute = String(10 + Math.floor(index / 6)).padStart(2, '0');
    return `10.0.0.1 - - [12/Oct/2026:09:${minute}:${(index % 6) * 10 || '00'} +0000] "GET /health HTTP/1.1" 200 2 "-" "kube-probe/1.31"`;
  });
}

describe('copies of one log', () => {
  const lines = busyLines(300);
  const rotated: Log[] = [
    ['access.log.1.gz', lines.slice(0, 200)],
    ['access.log', lines.slice(150)],
  ];

  it('that share lines are counted once, whatever the order of the files', async () => {
    const whole = await reportOf([['whole.log', lines]]);
    const report = await reportOf(rotated);
    expect(duplicatesOf(report)).toEqual({ 'access.log': 50, 'access.log.1.gz': 0 });
    expect(report.requests).toEqual(whole.requests);
    expect(report.savings).toEqual(whole.savings);
    const { inputs, requests, savings } = await reportOf(rotated.toReversed());
    expect({ inputs, requests, savings }).toEqual({ inputs: report.inputs, requests: report.requests, savings: report.savings });
  });

  it('are counted once however many there are, and within others', async () => {
    const report = await reportOf([...rotated, ['copy.log', lines], ['again.log', lines]]);
    expect(report.requests.total).toBe(300);
  });

  it('may begin and end among equal lines of one second', async () => {
    const burst = Array.from({ length: 30 }, () => lines[150] as string);
    const all = [...lines.slice(0, 150), ...burst, ...lines.slice(150)];
    const report = await reportOf([
      ['a.log', all],
      ['b.log', all.slice(160)],
    ]);
    expect(report.requests.total).toBe(all.length);
  });

  it.each<[string, Log[]]>([
    [
      'a single equal line',
      [
        ['a.log', lines.slice(0, 100)],
        ['b.log', lines.slice(99, 250)],
      ],
    ],
    [
      'fewer equal lines than a run',
      [
        ['a.log', lines.slice(0, 100)],
        ['b.log', lines.slice(91, 250)],
      ],
    ],
    [
      'equal lines with others between them',
      [
        ['a.log', lines],
        ['b.log', lines.filter((_, index) => index % 9 > 0)],
      ],
    ],
    [
      'steady probes that two replicas log alike',
      [
        ['pod-a.log', probeLines(100)],
        ['pod-b.log', probeLines(100)],
      ],
    ],
    [
      'equal lines without a stamp',
      [
        ['a.log', untimed(50)],
        ['b.log', untimed(50)],
      ],
    ],
  ])('are not proven by %s', async (_, logs) => {
    const report = await reportOf(logs);
    expect(report.requests.total).toBe(logs.reduce((sum, [, all]) => sum + all.length, 0));
  });

  it('are told where the client is not named, and through a wrapper', async () => {
    const nameless = lines.map((line) =>
      JSON.stringify({ time: stampOf(line), method: 'POST', path: line.slice(52, 58), status: 200 }),
    );
    const wrapped = nameless.slice(100).map((line) => `2026-10-12T09:20:00.000000001Z stdout F ${line}`);
    const report = await reportOf([
      ['plain.log', nameless],
      ['pod.log', wrapped],
    ]);
    expect(duplicatesOf(report)).toEqual({ 'plain.log': 0, 'pod.log': 200 });
  });
});

function stampOf(line: string): string {
  return `2026-10-12T${line.slice(line.indexOf(':') + 1, line.indexOf(' +'))}Z`;
}

function untimed(count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `INFO:     203.0.113.${index % 7}:0 - "POST /${index % 5} HTTP/1.1" 404 Not Found`,
  );
}

const ALB =
  'h2 2026-11-10T06:00:01.250031Z app/mcp/0123456789abcdef 203.0.113.101:40100 10.1.2.3:8000 0.001 0.120 0.000 404 404 250 310 "POST https://mcp.example.com:443/mcp HTTP/2.0" "node" - - - "Root=1-65000000-00000000000000000000000A"';
const gcp = (id: string, time: string): string =>
  `{"httpRequest":{"remoteIp":"198.51.100.61","requestMethod":"POST","requestUrl":"https://mcp.example.com/mcp","status":404},"insertId":"${id}","logName":"projects/demo/logs/requests","timestamp":"${time}"}`;
const ingress = (id: string, took: string): string =>
  `203.0.113.20 - - [05/Nov/2026:18:02:11 +0000] "POST /mcp HTTP/2.0" 404 912 "-" "node" 533 ${took} [tools-mcp-8000] [] 10.244.3.17:8000 912 ${took} 404 ${id}`;
const cloudfront = (id: string, second: string, status: number): string =>
  `2026-12-04\t21:02:${second}\tLAX1\t392\t203.0.113.70\tPOST\td111111abcdef8.cloudfront.net\t/mcp\t${status}\t-\tnode\t-\t-\tError\t${id}\tmcp.example.com\thttps\t23\t1.001`;
const frontDoor = (isFirst: boolean, reference: string): string =>
  `{"time":"2026-11-15T12:00:05.${isFirst ? '12' : '10'}Z","category":"FrontDoorAccessLog","properties":{"trackingReference":"${reference}","httpMethod":"POST","requestUri":"https://mcp.example.com:443/mcp","clientIp":"198.51.100.62","timeTaken":"${isFirst ? '0.250' : '0.200'}","httpStatusCode":"405","isReceivedFromClient":${isFirst}}}`;
const ID = '7a5e1c90-0000-9000-8000-000000000001';
const istio = (side: string, at: string, took: number, path = '/mcp', id = ID): string =>
  `[2026-11-03T07:30:${at}Z] "POST ${path} HTTP/1.1" 503 - via_upstream - "-" 166 1021 ${took} 47 "-" "node" "${id}" "mcp.example.com" "10.8.1.12:8000" ${side}|8000|| 127.0.0.6:38001 10.8.1.12:8000 192.0.2.60:0 - default`;
const gateway = (isBackend: boolean, id: string): string =>
  `{"start_time":"2026-11-16T04:00:00.21${isBackend ? 5 : 0}Z","method":"POST","path":"/mcp","response_code":200,"response_flags":"-","duration":${isBackend ? 80 : 88},"x-request-id":"c0ffee00-0000-4000-8000-00000000000${isBackend ? 2 : 1}","downstream_remote_address":"${isBackend ? '127.0.0.1:58124' : '198.51.100.71:44100'}","upstream_cluster":"${isBackend ? 'httproute/default/ai-eg-mcp-br-github/rule/0' : 'ai-eg-mcp-mcpproxy'}","mcp.method.name":"tools/call","mcp.tool.name":"${isBackend ? '' : 'github__'}list_issues","jsonrpc.request.id":"${id}","mcp.provider.name":${isBackend ? '"github"' : null}}`;
const [A, B] = ['4e1f9a0c7b3d4e56a1b2c3d4e5f60718', '5f20ab1d8c4e5f67b2c3d4e5f6071829'];

describe('entries about one request', () => {
  it.each<[string, string[], number, number]>([
    ['an ALB line that came twice', [ALB, ALB], 1, 1],
    ['ALB lines that differ', [ALB, ALB.replace('0.120', '0.121')], 2, 0],
    ['a Google entry that came twice', [gcp('a', '2026-11-15T12:00:00.4Z'), gcp('a', '2026-11-15T12:00:00.4Z')], 1, 1],
    ['Google entries of different ids', [gcp('a', '2026-11-15T12:00:00.4Z'), gcp('b', '2026-11-15T12:00:00.4Z')], 2, 0],
    ['Google entries of different times', [gcp('a', '2026-11-15T12:00:00.4Z'), gcp('a', '2026-11-15T12:00:00.5Z')], 2, 0],
    ['an ingress-nginx line that came twice', [ingress(A, '0.127'), ingress(A, '0.127')], 1, 1],
    ['a client that tries again under its id', [ingress(A, '0.127'), ingress(A, '0.003')], 2, 0],
    ['ingress-nginx lines of two requests', [ingress(A, '0.127'), ingress(B, '0.127')], 2, 0],
    ['a CloudFront line that came twice', [cloudfront('a==', '31', 404), cloudfront('a==', '31', 404)], 1, 1],
    ['CloudFront lines of different statuses', [cloudfront('a==', '31', 404), cloudfront('a==', '31', 503)], 2, 0],
    ['a request that passed a Front Door shield', [frontDoor(false, '0Ab=='), frontDoor(true, '0Ab==')], 1, 1],
    ["a shield's line alone", [frontDoor(false, '0Ab==')], 1, 0],
    ['shield and client lines of two requests', [frontDoor(false, '0Ab=='), frontDoor(true, '0Ac==')], 2, 0],
    ['both proxies of Istio', [istio('outbound', '00.100', 50), istio('inbound', '00.110', 30)], 1, 1],
    [
      'two tries of one Istio request',
      [istio('outbound', '00.1', 90), istio('inbound', '00.11', 9), istio('inbound', '00.15', 9)],
      1,
      2,
    ],
    ['a request that it led to', [istio('outbound', '00.1', 90), istio('inbound', '00.11', 30, '/child')], 2, 0],
    [
      'the same again after the answer',
      [istio('outbound', '00.1', 9), istio('outbound', '02.1', 9), istio('inbound', '05.0', 9)],
      3,
      0,
    ],
    [
      'two clients with a counter for an id',
      [istio('outbound', '00.1', 90, '/mcp', '1'), istio('inbound', '00.11', 9, '/mcp', '1')],
      2,
      0,
    ],
    ['both legs of an AI gateway', [gateway(false, '7'), gateway(true, '7')], 1, 1],
    ['legs of two calls', [gateway(false, '7'), gateway(true, '8')], 2, 0],
    ["a backend's leg alone", [gateway(true, '7')], 1, 0],
  ])('%s', async (_, lines, total, duplicates) => {
    const report = await reportOf([['a.log', lines]]);
    expect([report.requests.total, report.inputs[0]?.duplicates]).toEqual([total, duplicates]);
    const apart = await reportOf(lines.map((line, index): Log => [`${index}.log`, [line]]));
    expect(apart.requests).toEqual(report.requests);
  });
});
