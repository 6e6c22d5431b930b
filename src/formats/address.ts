// Addresses and authorities in one spelling each: no ports on addresses, IPv6 in RFC 5952 form, IPv4-mapped as IPv4.
import { isIPv6 } from 'node:net';

const NAME = /^[\w.-]{1,253}$/;

/** Returns whether a text has the shape of an IPv4 address: digits and three dots. */
function isIpv4(text: string): boolean {
  if (text.length < 7 || text.length > 15) return false;
  let dots = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 46) dots++;
    else if (code < 48 || code > 57) return false;
  }
  return dots === 3;
}

/** Returns an address without port, zone or brackets, or null if the text names none (`-`, empty, `unix:`, `unknown`). */
export function parseAddress(text: string): string | null {
  if (isIpv4(text)) return text;
  if (text.length < 2 || text.length > 255 || text === 'unknown' || text.startsWith('unix:')) return null;
  if (text.startsWith('[')) return parseIpv6(text.slice(1, text.indexOf(']')));
  const colon = text.indexOf(':');
  if (colon === -1) return NAME.test(text) ? text.toLowerCase() : null;
  const last = text.lastIndexOf(':');
  if (colon === last) return parseAddress(text.slice(0, colon));
  return parseIpv6(text) ?? parseIpv6(text.slice(0, last));
}

/** Returns the address of a peer that is always followed by its port, as in uvicorn's `::1:52106`. */
export function parsePeer(text: string): string | null {
  const last = text.lastIndexOf(':');
  return parseAddress(last === -1 || text.endsWith(']') ? text : text.slice(0, last));
}

/** Returns the left-most usable member of a forwarded-for list. */
export function firstForwarded(list: string): string | null {
  for (const member of list.split(',', 32)) {
    const address = parseAddress(member.trim());
    if (address !== null) return address;
  }
  return null;
}

/** Returns whether text is an IP address, with or without port. */
export function isIp(text: string): boolean {
  return isIpv4(text) || (text.includes(':') && /^[\da-fA-F:.[\]%]+$/.test(text));
}

/** Returns an IPv6 address in RFC 5952 form, an IPv4-mapped one as IPv4, or null. */
function parseIpv6(text: string): string | null {
  const zone = text.indexOf('%');
  const address = zone === -1 ? text : text.slice(0, zone);
  if (!isIPv6(address)) return null;
  const groups = groupsOf(address);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    const [high = 0, low = 0] = groups.slice(6);
    return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
  }
  return shorten(groups);
}

function groupsOf(address: string): number[] {
  const dotted = address.lastIndexOf('.') === -1 ? -1 : address.lastIndexOf(':') + 1;
  const tail = dotted === -1 ? [] : address.slice(dotted).split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = tail;
  const hex =
    dotted === -1 ? address : `${address.slice(0, dotted)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  const [left = '', right] = hex.split('::');
  const head = parseGroups(left);
  if (right === undefined) return head;
  const end = parseGroups(right);
  return [...head, ...Array.from({ length: 8 - head.length - end.length }, () => 0), ...end];
}

function parseGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => parseInt(group, 16));
}

function joinGroups(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(':');
}

/** Joins eight groups, the first longest run of at least two zeros as `::`. */
function shorten(groups: readonly number[]): string {
  let start = -1;
  let length = 1;
  for (let at = 0; at < 8; at++) {
    let end = at;
    while (end < 8 && groups[end] === 0) end++;
    if (end - at > length) [start, length] = [at, end - at];
  }
  if (start === -1) return joinGroups(groups);
  return `${joinGroups(groups.slice(0, start))}::${joinGroups(groups.slice(start + length))}`;
}

const AUTHORITY = /^([\w.-]{1,253}|\[[\da-fA-F:.%\w]{2,64}\])(?::(\d{1,5})?)?$/;

/**
 * Returns an authority in lower case, the port only if it is not the scheme's default (80 and 443 where no scheme is known), or
 * null if the text names no host.
 */
export function parseAuthority(text: string, scheme: string | null = null): string | null {
  const match = AUTHORITY.exec(text);
  if (match === null) return null;
  const bracketed = match[1] ?? '';
  const host = bracketed.startsWith('[') ? maybeBracketed(bracketed) : bracketed.toLowerCase();
  if (host === null || host === '-' || host === '_') return null;
  const port = match[2] ?? '';
  return port === '' || isDefaultPort(port, scheme) ? host : `${host}:${port}`;
}

function maybeBracketed(text: string): string | null {
  const address = parseIpv6(text.slice(1, -1));
  if (address === null) return null;
  return address.includes(':') ? `[${address}]` : address;
}

function isDefaultPort(port: string, scheme: string | null): boolean {
  if (scheme === 'http' || scheme === 'ws') return port === '80';
  if (scheme === 'https' || scheme === 'wss') return port === '443';
  return scheme === null && (port === '80' || port === '443');
}
