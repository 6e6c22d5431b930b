// Reads the text of a discovery document, JSON or YAML, and recognises its kind by what it holds.
import { InputError } from '../errors.ts';
import { a2aCard } from './a2a-card.ts';
import type { ContractDocument } from './contract.ts';
import { isObject, type Declaration, type DocumentKind } from './document.ts';
import { mcpDiscoverResult, mcpInitializeResult, mcpToolsList } from './mcp-results.ts';
import { mcpServerCard } from './mcp-server-card.ts';
import { openapi } from './openapi.ts';
import { readYaml } from './yaml.ts';

const KINDS: readonly DocumentKind[] = [openapi, a2aCard, mcpServerCard, mcpInitializeResult, mcpDiscoverResult, mcpToolsList];

/** Returns what a document declares. Throws an InputError that says what was expected and what was found. */
export async function loadDocument({ name, text }: ContractDocument): Promise<Declaration> {
  const parsed = await parse(name, text);
  const document = isObject(parsed) && 'jsonrpc' in parsed && 'result' in parsed ? parsed['result'] : parsed;
  const declaration = isObject(document) ? KINDS.map((kind) => kind.maybeRead(document)).find(Boolean) : undefined;
  if (declaration !== undefined) return declaration;
  throw new InputError(`not a discovery document: ${JSON.stringify(name)}`, {
    reason: `found ${inWords(document)}`,
    help: `expected one of: ${KINDS.map(({ title }) => title).join(', ')}`,
  });
}

async function parse(name: string, text: string): Promise<unknown> {
  const source = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(source);
  } catch {
    // YAML holds JSON, so this also says where broken JSON breaks.
    return (await readYaml(name, source)).value;
  }
}

function inWords(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'string') return `text: ${JSON.stringify(value.slice(0, 60))}`;
  if (!isObject(value)) return `a ${typeof value}`;
  if ('jsonrpc' in value) return 'a JSON-RPC message without a result';
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an object without keys';
  return `an object with ${keys
    .slice(0, 8)
    .map((key) => JSON.stringify(key))
    .join(', ')}${keys.length > 8 ? ' …' : ''}`;
}
