// Whom a request counts for: the client behind proxies that are trusted, the key that was chosen, and pseudonyms in place of both.
import { createHmac } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { parseAddress } from '../formats/address.ts';
import { remember } from '../formats/identity.ts';
import type { AccessRecord, ClientKey, LineClient } from '../record.ts';

/** What the user said about clients. */
export interface Identity {
  /** Networks in CIDR notation, or single addresses. */
  trustedProxies?: readonly string[] | undefined;
  clientKey?: ClientKey | undefined;
  /** Key of the pseudonyms; none to show addresses and names as hashes of principals are shown. */
  anonymizeKey?: string | undefined;
}

/** Returns a record as it counts: the line's own, if nothing was said. */
export function identify(record: AccessRecord, identity: Identity | undefined): AccessRecord {
  if (identity === undefined) return record;
  const { trustedProxies = [], clientKey, anonymizeKey } = identity;
  const address = trustedProxies.length > 0 ? clientAddress(record, trustedProxies) : record.address;
  const seen = { ...record, address };
  const known = anonymizeKey === undefined ? seen : anonymize(seen, anonymizeKey);
  const key = chosenKey(known, clientKey);
  return key === null ? known : { ...known, client_key: key };
}

/** Returns the last address on the way here that is no trusted proxy; if all are, the first. */
function clientAddress({ address, forwarded }: AccessRecord, trusted: readonly string[]): string | null {
  if (forwarded === undefined) return address;
  const peer = address === null || address === forwarded.taken ? [] : [address];
  const hops = [...forwarded.list.split(',').slice(-MAX_HOPS).map(addressIn), ...peer];
  let client: string | null = null;
  for (const hop of hops.toReversed()) {
    // What stands before a hop without address was not seen by a proxy that is trusted.
    if (hop === null) break;
    client = hop;
    if (!isTrusted(hop, trusted)) break;
  }
  return client ?? address;
}

const MAX_HOPS = 32;

function addressIn(member: string): string | null {
  return parseAddress(member.trim());
}

const lists = new Map<string, BlockList>();

function isTrusted(address: string, networks: readonly string[]): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  const name = networks.join();
  const list = lists.get(name) ?? blockList(networks);
  lists.set(name, list);
  return list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Returns the chosen key, or null for the usual one: where it was not chosen, or a line has nothing of what was. */
function chosenKey({ address, user_agent }: LineClient, choice: ClientKey | undefined): string | null {
  if (choice === 'address') return address;
  if (choice === 'agent') return user_agent;
  if (choice !== 'address+agent' || (address === null && user_agent === null)) return null;
  return [address ?? 'unknown address', user_agent].filter((part) => part !== null).join(' ');
}

/** Returns how a report names the key that was chosen; undefined for the usual one, which the report finds in what lines show. */
export function keyInWords(identity: Identity | undefined): string | undefined {
  const { trustedProxies = [], clientKey = 'principal' } = identity ?? {};
  const address = trustedProxies.length > 0 ? 'address behind trusted proxies' : 'address';
  if (clientKey === 'agent') return 'user agent';
  if (clientKey === 'address') return address;
  if (clientKey === 'address+agent') return `${address} and user agent`;
  return trustedProxies.length > 0 ? `principal, else ${address} and user agent` : undefined;
}

const pseudonymOf = remember((text) => {
  const end = text.indexOf('\n');
  return createHmac('sha256', text.slice(0, end))
    .update(text.slice(end + 1))
    .digest('hex')
    .slice(0, 16);
});

function pseudonym(kind: string, text: string, key: string): string {
  return `${kind}:${pseudonymOf(`${key}\n${text}`)}`;
}

function anonymize(record: AccessRecord, key: string): AccessRecord {
  const { address, principal, path, rpc_name } = record;
  return {
    ...record,
    address: address === null ? null : pseudonym('address', address, key),
    principal: principal === null ? null : pseudonym(principal.slice(0, principal.indexOf(':')), principal, key),
    path: path === null ? null : anonymizeText(path, key),
    rpc_name: rpc_name === null ? null : anonymizeText(rpc_name, key),
  };
}

const MAIL = /[\w.+-]{1,64}(?:@|%40)[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g;
/** Anything made like an address; what is none, such as a time of day, stays. */
const ADDRESS = /(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-fA-F]{0,4}:[\da-fA-F:]{1,38}(?:\.\d{1,3}){0,3})(?![\w])/g;
/** Between the identity and the stamp of common lines. */
const USER = /^(\S{1,255} \S{1,255} )([^[\]"]{1,256})( \[)/;
const MEMBER =
  /("(?![\w.-]{0,40}agent)[\w.-]{0,40}(?:user|login|email|principal|subject|account|consumer)[\w.-]{0,40}"\s{0,4}:\s{0,4}")([^"\\]{1,256})/gi;

function anonymizeText(text: string, key: string): string {
  return text
    .replace(MAIL, (mail) => pseudonym('user', mail, key))
    .replace(ADDRESS, (found) => (isIP(found) === 0 ? found : pseudonym('address', addressIn(found) ?? found, key)));
}

/** Returns log text with pseudonyms in place of addresses and of the names of users, where these can be told. */
export function anonymizeLine(line: string, identity: Identity | undefined): string {
  const key = identity?.anonymizeKey;
  if (key === undefined) return line;
  const hide = (_: string, before: string, name: string, after = '') =>
    before + (name === '-' ? name : pseudonym('user', name, key)) + after;
  return anonymizeText(
    line
      .replace(USER, (all, before: string, name: string, after: string) => hide(all, before, name, after))
      .replace(MEMBER, (all, before: string, name: string) => hide(all, before, name)),
    key,
  );
}
