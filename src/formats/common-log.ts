// What nginx, Apache and all that imitate them write first: host, user, stamp, request, status, size, referer, user agent.
// Formats that append fields of their own read them from the rest.
import type { AccessRecord, RejectReason } from '../record.ts';
import { isIp, parseAddress, parseAuthority } from './address.ts';
import { unescapeField } from './escape.ts';
import { principalOf } from './identity.ts';
import { blankRecord, readRequestLine, readUserAgent } from './request.ts';
import { statusSignal } from './signal.ts';
import { parseClf } from './time.ts';

const QUOTE = 34;
const SPACE = 32;
const DASH = 45;

/** A line as far as all have it in common. `ts` of the record is the stamp itself. */
export interface CommonLine {
  record: AccessRecord;
  /** What stands behind the size: referer, user agent, and whatever else. */
  agents: string;
  /** What stands behind the user agent, or behind the size if there is no such. */
  rest: string;
}

/** Why a line could not be read as one of the family. */
export type NotCommon = 'foreign' | { reject: RejectReason };

/** Returns what a line has in common with others of the family, or why it is none. */
export function readCommon(line: string): CommonLine | NotCommon {
  const bracket = findStamp(line);
  if (bracket === -1) return explainMissingStamp(line);
  const record = blankRecord();
  if (!readFront(record, line, bracket - 1)) return 'foreign';
  record.ts = parseClf(line, bracket + 1);
  if (record.ts === null) return { reject: 'bad_time' };

  const request = line.indexOf('"', bracket + 29) + 1;
  // Some name the host that was asked between stamp and request.
  if (request > bracket + 30) record.authority = parseAuthority(line.slice(bracket + 29, request - 2)) ?? record.authority;
  const requestEnd = findRequestEnd(line, request);
  if (requestEnd === -1) return explainMissingStatus(line, request);
  readRequestLine(record, unescapeField(line.slice(request, requestEnd)));

  const statusEnd = endOfWord(line, requestEnd + 2);
  const status = parseDigits(line, requestEnd + 2, statusEnd);
  record.signal = statusSignal(status !== null && status >= 100 ? status : null);
  if (statusEnd === line.length) return { reject: 'truncated' };
  const bytesEnd = endOfWord(line, statusEnd + 1);
  record.response_bytes = parseDigits(line, statusEnd + 1, bytesEnd);
  if (record.response_bytes === null && !isDash(line, statusEnd + 1, bytesEnd)) return { reject: 'bad_fields' };
  // With 401 the user name is only what somebody claimed.
  if (status === 401) record.principal = null;
  const rest = readAgents(record, line, bytesEnd);
  return { record, agents: line.slice(bytesEnd), rest: line.slice(rest) };
}

/** Returns whether a line was understood so far. */
export function isCommon(part: CommonLine | NotCommon): part is CommonLine {
  return typeof part === 'object' && 'rest' in part;
}

/** Returns the offset of ` [dd/Mon/yyyy:hh:mm:ss ±zzzz] "`'s bracket, or -1; a word may stand before the quote. */
function findStamp(line: string): number {
  for (let at = line.indexOf('['); at !== -1; at = line.indexOf('[', at + 1)) {
    if (
      line.charCodeAt(at + 27) === 93 &&
      line.charCodeAt(at + 12) === 58 &&
      line.charCodeAt(at + 3) === 47 &&
      line.charCodeAt(at - 1) === SPACE &&
      isBeforeQuote(line, at + 29)
    ) {
      return at;
    }
  }
  return -1;
}

function isBeforeQuote(line: string, at: number): boolean {
  if (line.charCodeAt(at) === QUOTE) return true;
  const blank = line.indexOf(' ', at);
  return blank > at && line.charCodeAt(blank + 1) === QUOTE && line.charCodeAt(at - 1) === SPACE;
}

/** Old releases of ingress-nginx repeat the address as a forwarded list: `192.0.2.1 - [192.0.2.1, 10.0.0.1] - user`. */
const FORWARDED_LIST = / - \[[\da-fA-F.:, ]*\] -/;

/**
 * Fills in what stands before the stamp: `host ident user`, one of the dashes perhaps missing, perhaps a virtual host in front,
 * and perhaps blanks inside the user name.
 */
function readFront(record: AccessRecord, line: string, end: number): boolean {
  const first = line.indexOf(' ');
  if (first >= end || first < 1) return false;
  const second = line.indexOf(' ', first + 1);
  // The usual line: an address and two dashes.
  if (second + 2 === end && line.charCodeAt(second + 1) === DASH && second < end) {
    record.address = parseAddress(line.slice(0, first));
    return true;
  }
  const words = line.slice(0, end).replace(FORWARDED_LIST, ' -').split(' ');
  if (isBehindVhost(words)) {
    const host = words.shift() ?? '';
    record.authority = parseAuthority(host);
    if (record.authority === null && host !== '-' && host !== '_') return false;
  } else if (words.length > 3 && !isIp(words[0] ?? '') && words[1] !== '-') return false;
  if (words.length < 2 || words.length > 12) return false;
  const address = words[0] ?? '';
  record.address = parseAddress(address);
  if (record.address === null && address !== '-' && address !== '' && !address.startsWith('unix:')) return false;
  record.principal = principalOf('user', unescapeField(words.slice(Math.min(2, words.length - 1)).join(' ')));
  return true;
}

/** Whether the second word is the address; a host name there is believed only if nothing else explains four words. */
function isBehindVhost(words: readonly string[]): boolean {
  const [host = '', next = ''] = words;
  if (words.length < 4 || isIp(host) || next === '-') return false;
  return isIp(next) || words.length === 4;
}

/**
 * Returns the offset of the quote that ends the request, or -1: the first that is not escaped and has a status behind it.
 * Servers that escape nothing may end a request with a backslash, so escaped quotes come second.
 */
function findRequestEnd(line: string, start: number): number {
  let escaped = -1;
  for (let quote = line.indexOf('"', start); quote !== -1; quote = line.indexOf('"', quote + 1)) {
    if (!isStatusAt(line, quote + 1)) continue;
    if (!isEscaped(line, quote, start)) return quote;
    if (escaped === -1) escaped = quote;
  }
  return escaped;
}

/** Whether ` 200`, ` -`, ` 0` or ` -1` and the end of the word follow. */
function isStatusAt(line: string, at: number): boolean {
  if (line.charCodeAt(at) !== SPACE) return false;
  const end = endOfWord(line, at + 1);
  const length = end - at - 1;
  return (
    length > 0 &&
    length < 4 &&
    (parseDigits(line, at + 1, end) !== null || isDash(line, at + 1, end) || line.startsWith('-1', at + 1))
  );
}

function isEscaped(line: string, quote: number, start: number): boolean {
  let at = quote - 1;
  while (at >= start && line.charCodeAt(at) === 92) at--;
  return (quote - at) % 2 === 0;
}

function endOfWord(line: string, start: number): number {
  const end = line.indexOf(' ', start);
  return end === -1 ? line.length : end;
}

function isDash(line: string, start: number, end: number): boolean {
  return end === start + 1 && line.charCodeAt(start) === DASH;
}

/** Returns the whole number between two offsets, or null. */
function parseDigits(line: string, start: number, end: number): number | null {
  if (end <= start || end - start > 15) return null;
  let number = 0;
  for (let at = start; at < end; at++) {
    const digit = line.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return null;
    number = number * 10 + digit;
  }
  return number;
}

/** Reads referer and user agent, quoted or bare dashes; returns the offset behind them. */
function readAgents(record: AccessRecord, line: string, start: number): number {
  const referer = endOfField(line, start + 1);
  if (referer === -1) return start;
  let agent = endOfField(line, referer + 1);
  if (agent === -1) return start;
  if (line.endsWith('"') && hasOddQuotes(line, agent)) agent = line.length;
  if (line.charCodeAt(referer + 1) === QUOTE) readUserAgent(record, unescapeField(line.slice(referer + 2, agent - 1)));
  return agent;
}

/** Where nothing is escaped, as by morgan, quotes behind the user agent that form no pairs are part of it. */
function hasOddQuotes(line: string, start: number): boolean {
  let isOdd = false;
  for (let quote = line.indexOf('"', start); quote !== -1; quote = line.indexOf('"', quote + 1)) {
    if (line.charCodeAt(quote - 1) !== 92) isOdd = !isOdd;
  }
  return isOdd;
}

/** Returns the offset behind a quoted field or a bare dash, or -1; a quote that nothing ends reaches to the end of the line. */
function endOfField(line: string, start: number): number {
  if (line.charCodeAt(start) === DASH) {
    const end = start + 1;
    return end === line.length || line.charCodeAt(end) === SPACE ? end : -1;
  }
  if (line.charCodeAt(start) !== QUOTE) return -1;
  for (let quote = line.indexOf('"', start + 1); quote !== -1; quote = line.indexOf('"', quote + 1)) {
    const next = quote + 1;
    if ((next === line.length || line.charCodeAt(next) === SPACE) && !isEscaped(line, quote, start + 1)) return next;
  }
  return line.length;
}

const FRONT_AND_BRACKET = /^(?:\S+ )?\S+ \S+ \S+ \[/;

/** A line with the front of an access line but no readable stamp. */
function explainMissingStamp(line: string): NotCommon {
  const front = FRONT_AND_BRACKET.exec(line);
  if (front === null) return 'foreign';
  const start = front[0].length;
  const close = line.indexOf(']', start);
  if (close === -1) return /^\d\d\/[A-Z][a-z]{2}\//.test(line.slice(start, start + 8)) ? { reject: 'truncated' } : 'foreign';
  if (close + 2 >= line.length) return parseClf(line, start) === null ? 'foreign' : { reject: 'truncated' };
  return line.startsWith('] "', close) ? { reject: 'bad_time' } : 'foreign';
}

/** A line whose stamp is followed by a quote, but by no request with a status. */
function explainMissingStatus(line: string, start: number): NotCommon {
  let quote = line.indexOf('"', start);
  while (quote !== -1 && isEscaped(line, quote, start)) quote = line.indexOf('"', quote + 1);
  if (quote === -1 || quote + 1 >= line.length) return { reject: 'truncated' };
  return { reject: line.charCodeAt(quote + 1) === SPACE ? 'bad_status' : 'bad_fields' };
}
