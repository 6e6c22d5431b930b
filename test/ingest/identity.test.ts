import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isNetwork } from '../../src/commands/values.ts';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/store/database.ts';
import { anonymizeLine, identify, type Identity } from '../../src/ingest/identity.ts';
import { analyse, classifyStream } from '../../src/ingest/run.ts';
import { readForwarded, blankRecord } from '../../src/formats/request.ts';

function scratch(lines: readonly string[]): string {
  const path = join(mkdtempSync(join(tmpdir(), 'stormgate-test-')), 'access.log');
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  return path;
}

async function readWith(path: string, identity: Identity | undefined) {
  const rejectsFile = `${path}.rejects`;
  const analysis = await analyse({
    inputs: [path],
    timeZone: 'UTC',
    identity,
    documents: [],
    endpoints: [],
    infer: true,
    database: {},
    settings: {},
    rejectsFile,
  });
  const findings = await analysis.findings({ generatedAt: '2026-11-30T00:00:00Z', version: '0' });
  const clients = await analysis.database.rows<Row>(
    'SELECT address, user_agent, principal, key FROM clients ORDER BY key',
    'clients',
  );
  const targets = await analysis.database.rows<Row>('SELECT path FROM targets ORDER BY path', 'targets');
  await analysis.close();
  return { findings, clients, targets, rejects: readFileSync(rejectsFile, 'utf8') };
}

const main = (peer: string, forwarded: string, agent = 'node', user = '-'): string =>
  `${peer} - ${user} [12/Oct/2026:09:14:03 +0000] "POST /mcp HTTP/1.1" 404 153 "-" "${agent}" "${forwarded}"`;

const json = (peer: string, list: string): string =>
  JSON.stringify({
    time: '2026-10-12T09:14:03Z',
    remote_addr: peer,
    http_x_forwarded_for: list,
    method: 'GET',
    path: '/mcp',
    status: 404,
  });

const fourLines = () =>
  scratch([
    main('203.0.113.1', '-', 'a', 'alice'),
    main('203.0.113.1', '-', 'b'),
    main('203.0.113.2', '-', 'b'),
    main('203.0.113.1', '-', 'a', 'bob'),
  ]);

const PROXIES = ['10.0.0.0/8', '192.0.2.7', '2001:db8:1::/48'];

describe('behind trusted proxies', () => {
  it.each([
    ['the last address that is no proxy', '10.0.0.1', '203.0.113.9, 198.51.100.4, 10.1.1.1', '198.51.100.4'],
    ['not what a client made up before it', '10.0.0.1', '1.2.3.4, 203.0.113.9', '203.0.113.9'],
    ['the peer, if it is no proxy', '198.51.100.9', '203.0.113.9', '198.51.100.9'],
    ['a single address as a proxy', '192.0.2.7', '203.0.113.9', '203.0.113.9'],
    ['the neighbour of a proxy as a client', '192.0.2.8', '203.0.113.9', '192.0.2.8'],
    ['the first of all, if all are proxies', '10.0.0.1', '10.2.0.1, 10.1.0.1', '10.2.0.1'],
    ['what was seen before a member that is no address', '10.0.0.1', '203.0.113.9, unknown, 10.1.0.1', '10.1.0.1'],
    ['IPv6 in any spelling, with ports', '2001:DB8:1:0::5', '[2001:db8:2::9]:443', '2001:db8:2::9'],
    ['IPv4 written as IPv6', '10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
    ['the peer, if nothing was forwarded', '10.0.0.1', '-', '10.0.0.1'],
  ])('a client is %s', (_, peer, list, wanted) => {
    const record = { ...blankRecord(), address: peer.toLowerCase() };
    readForwarded(record, list);
    expect(identify(record, { trustedProxies: PROXIES }).address).toBe(wanted);
  });

  it('a list without a peer is walked from its end', () => {
    const record = blankRecord();
    readForwarded(record, '1.2.3.4, 203.0.113.9, 10.0.0.1');
    expect(record.address).toBe('1.2.3.4');
    expect(identify(record, { trustedProxies: PROXIES }).address).toBe('203.0.113.9');
  });

  it.each([
    ['text', (peer: string, list: string) => main(peer, list)],
    ['JSON', json],
  ])('clients of a log in %s are told apart by what the proxies saw, also on the fast way', async (_, line) => {
    const lines = Array.from({ length: 40 }, (_unused, index) => line('10.0.0.1', `203.0.113.${index % 4}, 10.9.9.9`));
    const path = scratch([...lines, line('198.51.100.7', '203.0.113.1')]);
    const { findings, clients } = await readWith(path, { trustedProxies: PROXIES });
    expect(clients.map(({ address }) => address)).toEqual([
      '198.51.100.7',
      '203.0.113.0',
      '203.0.113.1',
      '203.0.113.2',
      '203.0.113.3',
    ]);
    expect(findings.clients).toEqual({ total: 5, key: 'principal, else address behind trusted proxies and user agent' });
    const usual = await readWith(path, undefined);
    expect(usual.findings.clients.total).toBe(2);
  });

  it.each([
    ['10.0.0.0/8', true],
    ['10.0.0.1', true],
    ['2001:db8::/32', true],
    ['10.0.0.0/33', false],
    ['10.0.0.0/', false],
    ['10.0.0/8', false],
    ['fe80::1%eth0', false],
    ['proxy.example.com', false],
    ['10.0.0.0/8/8', false],
  ])('%s is a network: %s', (text, wanted) => {
    expect(isNetwork(text)).toBe(wanted);
  });
});

describe('the key of clients', () => {
  it.each([
    [undefined, 4, 'principal, else address and user agent'],
    ['principal', 4, 'principal, else address and user agent'],
    ['address+agent', 3, 'address and user agent'],
    ['address', 2, 'address'],
    ['agent', 2, 'user agent'],
  ] as const)('%s makes %i clients, and the report says so', async (clientKey, total, key) => {
    const { findings } = await readWith(fourLines(), { clientKey });
    expect(findings.clients).toEqual({ total, key });
  });
});

describe('an anonymized report', () => {
  const LINES = [
    main('203.0.113.77', '198.51.100.66', 'node', 'alice'),
    main('2001:db8::77', '-', 'node', 'bob'),
    '203.0.113.77 - carol [12/Oct/2026:09:14:04 +0000] "GET /users/dave@example.com/203.0.113.77 HTTP/1.1" 404 1 "-" "node"',
    '203.0.113.77 - erin [32/Oct/2026:09:14:04 +0000] "GET / HTTP/1.1" 404 1 "-" "node"',
  ];
  const SECRET = /203\.0\.113|198\.51|2001:db8|alice|bob|carol|dave|erin/;

  it('shows no address and no name, but everything else', async () => {
    const path = scratch(LINES);
    const usual = await readWith(path, undefined);
    const hidden = await readWith(path, { anonymizeKey: 'k' });
    expect(JSON.stringify(hidden)).not.toMatch(SECRET);
    expect(hidden.findings.requests).toEqual(usual.findings.requests);
    expect(hidden.findings.savings).toEqual(usual.findings.savings);
    expect(hidden.findings.clients).toEqual(usual.findings.clients);
    expect(hidden.findings.rejects.samples[0]).toMatchObject({
      line: 4,
      excerpt: expect.stringContaining('"GET / HTTP/1.1" 404 1'),
    });
    expect(hidden.clients.map(({ principal }) => principal)).not.toEqual(usual.clients.map(({ principal }) => principal));
  });

  it('has the same pseudonyms under the same key, and others under another', async () => {
    const path = scratch(LINES);
    const [once, again, other] = [
      await readWith(path, { anonymizeKey: 'k' }),
      await readWith(path, { anonymizeKey: 'k' }),
      await readWith(path, { anonymizeKey: 'l' }),
    ];
    expect(again).toEqual(once);
    expect(other.clients).not.toEqual(once.clients);
  });

  it('has a twin in the filter', async () => {
    let text = '';
    const request = {
      inputs: [scratch(LINES)],
      timeZone: 'UTC',
      identity: { anonymizeKey: 'k' },
      documents: [],
      endpoints: [],
      infer: false,
    };
    await classifyStream(request, async (piece) => void (text += piece));
    expect(text.trimEnd().split('\n')).toHaveLength(3);
    expect(text).not.toMatch(SECRET);
  });

  it.each([
    [
      '{"time":"09:14:03","user":"alice","email":"a@example.com","user_agent":"node","ip":"2001:db8::9"}',
      /^\{"time":"09:14:03","user":"user:\w{16}","email":"user:\w{16}","user_agent":"node","ip":"address:\w{16}"\}$/,
    ],
    ['start-up at 09:14:03 with version 1.2.3', /^start-up at 09:14:03 with version 1\.2\.3$/],
    ['-', /^-$/],
  ])('of the text %s', (line, wanted) => {
    expect(anonymizeLine(line, { anonymizeKey: 'k' })).toMatch(wanted);
  });
});
