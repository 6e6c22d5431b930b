import { describe, expect, test } from 'vitest';
import { combined } from '../../src/formats/combined.ts';
import { credentialParameter, maskLine, maskPath, maskText } from '../../src/formats/mask.ts';

// Assembled here so that no scanner takes this file for a leak.
const JWT = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiJhbGljZSJ9', 'c2lnbmF0dXJl'].join('.');
const GITHUB = `ghp${'_'}${'a1B2'.repeat(9)}`;
const OPENAI = `sk${'-'}${'a1B2'.repeat(10)}`;
const AWS = `AKIA${'ABCD1234'.repeat(2)}`;

test.each([
  [`/v1/${GITHUB}/repos`, '/v1/***/repos'],
  [`/v1/${OPENAI}`, '/v1/***'],
  [`/auth/${JWT}/x`, '/auth/***/x'],
  [`/a/${AWS}`, '/a/***'],
  ['/proxy/https://alice:secret@example.com/x', '/proxy/https://***@example.com/x'],
  ['/login;token=0123456789/x', '/login;token=***'],
])('the path %s is kept as %s', (path, wanted) => {
  expect(maskPath(path)).toBe(wanted);
});

test.each([
  '/mcp',
  '/users/550e8400-e29b-41d4-a716-446655440000/files',
  '/objects/da39a3ee5e6b4b0d3255bfef95601890afd80709',
  '/blobs/sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '/docs/sk-learn-user-guide-for-beginners-and-others',
  '/tasks/019283746501928374650192837465',
  '/npm/@modelcontextprotocol/sdk-typescript-client',
  '/basic-authentication-and-bearer-tokens-explained',
  '/tokens/list-of-everything/secretariat',
  '/.well-known/oauth-protected-resource/mcp-server-production',
])('the ordinary path %s is left alone', (path) => {
  expect(maskPath(path)).toBe(path);
});

test.each([
  ['api_key=0123', 'api_key'],
  ['a=b&Access_Token=xyz', 'access_token'],
  ['X-Amz-Signature=abcdef', 'x-amz-signature'],
  ['password=hunter2', 'password'],
  [`q=${GITHUB}`, 'q'],
  [`a=b&state=${JWT}`, 'state'],
  ['token=', null],
  ['token=REDACTED', null],
  ['token=***', null],
  ['page=2&sort=token', null],
  ['page_token=abcdef&next_token=abcdef&max_tokens=5', null],
  ['tokenizer=bpe&keys=3', null],
  ['id=550e8400-e29b-41d4-a716-446655440000', null],
  ['session_id=0f0e0d0c0b0a09080706050403020100', null],
])('the query %s shows a credential in %j', (query, wanted) => {
  expect(credentialParameter(query)).toBe(wanted);
});

test.each([
  [`agent/1.0 (Bearer ${'a1B2'.repeat(6)})`, 'agent/1.0 (Bearer ***)'],
  [`agent ${GITHUB}`, 'agent ***'],
  ['agent/1.0 token=0123456789', 'agent/1.0 token=***'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120 Safari/537.36', null],
  ['agent (+https://example.com/bots?about=us)', null],
])('the text %s is kept as %j', (text, wanted) => {
  expect(maskText(text)).toBe(wanted ?? text);
});

describe('a raw line', () => {
  test.each([
    [`GET /a?token=0123456789&x=1 HTTP/1.1`, `GET /a?token=***&x=1 HTTP/1.1`],
    [`{"authorization":"Bearer ${'a1B2'.repeat(6)}","x":1}`, `{"authorization":"***","x":1}`],
    ['{"api_key":"0123456789","x-api-key": "abc","path":"/a"}', '{"api_key":"***","x-api-key": "***","path":"/a"}'],
    ['{"headers":{"Cookie":["sid=1"]}}', '{"headers":{"Cookie":["***"]}}'],
    ['{"msg":"{\\"password\\":\\"hunter2\\"}"}', '{"msg":"{\\"password\\":\\"***\\"}"}'],
    ['connect postgres://app:hunter2@db.example.com/x', 'connect postgres://***@db.example.com/x'],
  ])('%s', (line, wanted) => {
    expect(maskLine(line)).toBe(wanted);
  });
});

test('a record says where a credential was and holds no part of it', () => {
  const cases: [string, string][] = [
    [`GET /a?api_key=${GITHUB} HTTP/1.1`, 'query parameter api_key'],
    [`GET /a/${GITHUB} HTTP/1.1`, 'path segment'],
    [`GET https://u:${GITHUB}@example.com/a HTTP/1.1`, 'user-info'],
  ];
  for (const [request, place] of cases) {
    const parsed = combined.parse(`192.0.2.1 - - [12/Oct/2026:09:14:03 +0200] "${request}" 200 1 "-" "x"`, { timeZone: 'UTC' });
    expect(JSON.stringify(parsed)).not.toContain(GITHUB.slice(4));
    expect(parsed).toMatchObject({ records: [{ credential: place }] });
  }
});
