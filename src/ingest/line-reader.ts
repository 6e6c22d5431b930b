// The lines of one source in their order, where a line by itself does not say all: wrapped, in pieces, JSON over lines, formats with memory.
import { isRequest, readLine, type ReadLine } from '../formats/detect.ts';
import type { Format, Half, Origin, ParseContext, Parsed } from '../formats/format.ts';
import { countZoneless, startOf, type Stamp } from '../formats/time.ts';
import { MAX_LINE } from '../read/blocks.ts';
import { elementsOf, openDocuments, type Documents } from '../read/documents.ts';
import { WRAPPER_NAMES, WRAPPERS, type Peel, type Peeled, type WrapperName } from '../read/wrappers/index.ts';
import type { AccessRecord, RejectReason } from '../record.ts';

/** Wrappers within wrappers; colours are no level of their own. */
const MAX_LAYERS = 4;
/** Lines of wrappers that are tried on one line before it is taken for text. */
const MAX_TRIES = 48;
/** Lists within lists, and texts within texts. */
const MAX_NESTING = 4;
/** Streams whose pieces or documents are waited for. */
const MAX_STREAMS = 256;
/** Wrappers that are looked for where none is expected: colours are in the way, and the others' lines belong together. */
const EVERYWHERE: readonly WrapperName[] = ['ansi', 'cri', 'docker-json', 'rich', 'tail'];
/** Wrappers that are taken off before a format looks: what is left would often pass for a line of another. */
const SURE: readonly WrapperName[] = WRAPPER_NAMES.filter((name) => WRAPPERS[name].isSure);

/** How a source is read: what its lines are wrapped in, outermost first, and the format of what is inside. */
export interface Reading {
  wrappers: readonly WrapperName[];
  format: Format | undefined;
}

/** What a piece of text was told to be. */
export interface Told extends ReadLine {
  /** Its first line, and how many it stands on. */
  line: number;
  lines: number;
  text: string;
  layers: readonly WrapperName[];
  /** Its stamp had no zone. */
  isZoneless: boolean;
}

/** Where it goes. Each line is counted once, here or, for halves, where they are joined. */
export interface LineSink {
  record(record: AccessRecord, line: number, part: number, origin: Origin | undefined): void;
  /** All halves of a line; not counted if the line begins a record besides. */
  halves(halves: Half[], line: number, isCounted: boolean): void;
  reject(line: number, reason: RejectReason, text: string): void;
  count(what: 'records' | 'parts' | 'other', line: number): void;
  zoneless?(): void;
  /** Called for every text; who has heard enough leaves it out, since it costs. */
  told?: ((told: Told) => void) | undefined;
}

export interface LineReader {
  /** Takes the next line, or a piece of one that `goesOn`. */
  push(text: string, goesOn?: boolean): void;
  /** The source ended. */
  end(): void;
  /** Lines begun so far. */
  lines(): number;
  /** Whether lines so far are the beginning of a document that goes on. */
  isWithinDocument(): boolean;
}

/** What a line counts as, from least to most: the most telling of the texts on it decides. */
const OTHER = 0;
const PART = 1;
const REJECT = 2;
const HALVES = 3;
const RECORD = 4;

/** A line until nothing waits for it any more. */
interface Account {
  line: number;
  holds: number;
  status: number;
  /** Requests that begin on it so far. */
  parts: number;
  halves: Half[];
  reject: { reason: RejectReason; text: string } | undefined;
}

/** A text with all that is known around it. */
interface Unit {
  text: string;
  /** The line as it is, with its wrappers. */
  raw: string;
  accounts: Account[];
  layers: readonly WrapperName[];
  stamp: Stamp | null;
  isStampZoneless: boolean;
  /** Names the stream, by all wrappers that tell of one. */
  key: string;
  times: number;
  nesting: number;
}

/** Returns a reader for the lines of one source; elements of JSON beyond `maxElement` characters are left out. */
export function openLineReader(reading: Reading, given: ParseContext, sink: LineSink, maxElement = MAX_LINE): LineReader {
  const context: ParseContext = { ...given };
  const parsers = new Map<Format, (line: string) => Parsed>();
  const peels = new Map<WrapperName, Peel>();
  const documents = new Map<string, Documents<Unit>>();
  const pieces = new Map<string, Unit>();
  let stack = reading.wrappers;
  let preferred = reading.format;
  let line = 0;
  let section = '';
  let lastKey = '';
  let held: { unit: Unit; depth: number } | undefined;
  let begun: Account | undefined;
  let isSkipping = false;

  function hold(accounts: readonly Account[]): void {
    for (const account of accounts) account.holds++;
  }

  function release(accounts: readonly Account[]): void {
    for (const account of accounts) if (--account.holds === 0) settleLine(account);
  }

  function settleLine({ line: at, status, halves, reject }: Account): void {
    if (halves.length > 0 || status === HALVES) sink.halves(halves, at, status === HALVES);
    if (status === RECORD) sink.count('records', at);
    else if (status === REJECT && reject !== undefined) sink.reject(at, reject.reason, reject.text);
    else if (status === PART) sink.count('parts', at);
    else if (status === OTHER) sink.count('other', at);
  }

  function rejectUnits(reason: RejectReason, text: string, accounts: readonly Account[]): void {
    const [first] = accounts;
    if (first === undefined) return;
    first.reject ??= { reason, text };
    raise(accounts, REJECT);
  }

  /** The first line of a text counts as what it is, all others as parts of it. */
  function raise(accounts: readonly Account[], status: number): void {
    for (const [index, account] of accounts.entries()) {
      const own = index === 0 ? status : PART;
      if (account.status < own) account.status = own;
    }
  }

  const parseOpen = (format: Format, text: string): Parsed => {
    if (format.open === undefined) return format.parse(text, context);
    let parse = parsers.get(format);
    if (parse === undefined) parsers.set(format, (parse = format.open(context)));
    return parse(text);
  };
  const parseAlone = (format: Format, text: string): Parsed => format.parse(text, context);

  function peel(name: WrapperName, text: string): Peeled | undefined {
    let opened = peels.get(name);
    if (opened === undefined) {
      const wrapper = WRAPPERS[name];
      opened = wrapper.open?.(context) ?? ((one) => wrapper.peel(one, context));
      peels.set(name, opened);
    }
    return opened(text);
  }

  /** Takes the wrappers off that the source is known to have, from `depth` on. */
  function descend(unit: Unit, depth: number): void {
    for (let at = depth; at < stack.length; at++) {
      const name = stack[at] as WrapperName;
      const before = countZoneless();
      const peeled = peel(name, unit.text);
      if (peeled !== undefined) return into(unit, name, peeled, at, countZoneless() !== before);
    }
    for (const name of EVERYWHERE) {
      if (stack.includes(name) || unit.layers.includes(name)) continue;
      const before = countZoneless();
      const peeled = peel(name, unit.text);
      if (peeled !== undefined) return into(unit, name, peeled, stack.length + unit.layers.length, countZoneless() !== before);
    }
    gather(unit);
  }

  function into(unit: Unit, name: WrapperName, peeled: Peeled, depth: number, isZoneless: boolean): void {
    if (peeled.appendedBy !== undefined && held !== undefined) return append(held.unit, unit, peeled.appendedBy + peeled.payload);
    flush();
    if (peeled.isHeading === true) {
      section = peeled.stream ?? '';
      sink.told?.({ ...toldOf(unit), layers: [name], parsed: 'other', format: undefined });
      return;
    }
    const inner = unwrapped(unit, name, peeled, isZoneless);
    const key = `${depth}\n${inner.key}`;
    const waiting = pieces.get(key);
    if (waiting !== undefined) {
      join(waiting, inner);
      if (peeled.continues === true) return;
      pieces.delete(key);
      descend(waiting, depth + 1);
      release(waiting.accounts);
      return;
    }
    if (peeled.continues === true) {
      wait(key, inner);
      return;
    }
    if (peeled.isOpen === true) {
      hold(inner.accounts);
      held = { unit: inner, depth };
      return;
    }
    descend(inner, depth + 1);
  }

  function unwrapped(unit: Unit, name: WrapperName, { payload, stamp, stream, times }: Peeled, isZoneless: boolean): Unit {
    return {
      ...unit,
      text: payload,
      layers: [...unit.layers, name],
      stamp: stamp ?? unit.stamp,
      isStampZoneless: stamp === undefined || stamp === null ? unit.isStampZoneless : isZoneless,
      key: stream === undefined ? unit.key : `${unit.key}\n${stream}`,
      times: unit.times * (times ?? 1),
    };
  }

  function append(to: Unit, unit: Unit, text: string): void {
    join(to, { ...unit, text });
  }

  /** Puts a further piece behind others, as long as a line may be long. */
  function join(waiting: Unit, piece: Unit): void {
    if (waiting.text.length + piece.text.length > MAX_LINE) {
      rejectUnits('line_too_long', waiting.text, waiting.accounts);
      raise([...waiting.accounts.slice(0, 1), ...piece.accounts], REJECT);
      return;
    }
    waiting.text += piece.text;
    hold(piece.accounts);
    waiting.accounts.push(...piece.accounts);
  }

  function wait(key: string, unit: Unit): void {
    hold(unit.accounts);
    pieces.set(key, { ...unit, accounts: [...unit.accounts] });
    if (pieces.size > MAX_STREAMS) giveUp(pieces.keys().next().value ?? '');
  }

  /** Reads pieces whose end never came. */
  function giveUp(key: string): void {
    const unit = pieces.get(key);
    if (unit === undefined) return;
    pieces.delete(key);
    descend(unit, Number(key.slice(0, key.indexOf('\n'))) + 1);
    release(unit.accounts);
  }

  /** Reads what further lines might have belonged to. */
  function flush(): void {
    if (held === undefined) return;
    const { unit, depth } = held;
    held = undefined;
    descend(unit, depth + 1);
    release(unit.accounts);
  }

  /** Hands a text to the document that it may be a line of. */
  function gather(unit: Unit): void {
    flush();
    // A document whose first line alone is wrapped goes on in lines that are not.
    const isWithin = unit.layers.length === 0 && documents.get(lastKey)?.isOpen() === true;
    const key = isWithin ? lastKey : unit.key;
    const open = documents.get(key);
    lastKey = key;
    if (open === undefined && !mayBeJson(unit.text)) return settle(unit);
    const taken = (open ?? documentsOf(key)).push(unit.text, unit, false);
    if (!taken) settle(unit);
    if (documents.get(key)?.isOpen() === false) documents.delete(key);
  }

  function documentsOf(key: string): Documents<Unit> {
    if (documents.size >= MAX_STREAMS) {
      const [oldest = ''] = documents.keys();
      documents.get(oldest)?.end();
      documents.delete(oldest);
    }
    const opened = openDocuments<Unit>(
      {
        element: ({ text, lines }) => settle(unitOf(text, lines)),
        whole({ text, lines }, elements) {
          const unit = unitOf(text, lines);
          const told = readLine(text, preferred, parseOpen);
          if (isRequest(told.parsed) || elements.length === 0) settle(unit, told);
          else for (const one of elements) settle(unitOf(one.text, one.lines));
        },
        lines(all) {
          for (const { text, line: unit } of all) settle({ ...unit, text });
        },
        failed: (reason, lines) => rejectUnits(reason, lines[0]?.text ?? '', accountsOf(lines)),
        part: ({ accounts }) => {
          for (const account of accounts) raise([account], PART);
        },
        hold: ({ accounts }) => hold(accounts),
        release: ({ accounts }) => release(accounts),
      },
      maxElement,
    );
    documents.set(key, opened);
    return opened;
  }

  function unitOf(text: string, lines: readonly Unit[]): Unit {
    const first = lines[0] as Unit;
    return { ...first, text, accounts: accountsOf(lines), nesting: first.nesting + 1 };
  }

  function toldOf(unit: Unit): Pick<Told, 'line' | 'lines' | 'text' | 'layers' | 'isZoneless'> {
    return {
      line: unit.accounts[0]?.line ?? 0,
      lines: unit.accounts.length,
      text: unit.text,
      layers: unit.layers,
      isZoneless: unit.isStampZoneless,
    };
  }

  /** Says what a text is: by a format, inside of further wrappers, or as a list of others. */
  function settle(unit: Unit, told?: ReadLine): void {
    const tries = { left: MAX_TRIES };
    const peeled = stack.length === 0 && told === undefined ? surely(unit, tries) : undefined;
    if (peeled !== undefined) {
      stack = peeled.unit.layers;
      return emit(peeled.unit, peeled.told, peeled.isZoneless);
    }
    const before = countZoneless();
    const own = told ?? readLine(unit.text, preferred, parseOpen);
    if (isRequest(own.parsed)) {
      preferred ??= own.format;
      return emit(unit, own, countZoneless() !== before);
    }
    const found = search(unit, own, layersOf(unit), tries) ?? (own.parsed === 'other' ? again(unit, tries) : undefined);
    if (found !== undefined && isRequest(found.told.parsed)) {
      if (stack.length === 0) stack = found.unit.layers;
      preferred ??= found.told.format;
      return emit(found.unit, found.told, found.isZoneless);
    }
    const inner = found?.unit ?? unit;
    const texts = inner.nesting < MAX_NESTING ? textsOf(inner.text) : undefined;
    if (texts !== undefined) {
      for (const text of texts) if (text !== '') settle({ ...inner, text, nesting: inner.nesting + 1 });
      return;
    }
    emit(inner, found?.told ?? own, false);
  }

  /** What a source is wrapped in is not known yet: wrappers that are sure of themselves go first. */
  function surely(unit: Unit, tries: { left: number }): Found | undefined {
    return surelyDeeper(unit, layersOf(unit), tries);
  }

  /** Where what was peeled means nothing, the wrapper may have been none. */
  function again(unit: Unit, tries: { left: number }): Found | undefined {
    const { raw } = unit;
    if (raw === unit.text || unit.accounts.length > 1 || unit.nesting > 0) return undefined;
    if (unit.layers.every((name) => WRAPPERS[name].isSure)) return undefined;
    const bare = { ...unit, text: raw, layers: [], stamp: null, isStampZoneless: false, key: section };
    const before = countZoneless();
    const told = readLine(raw, preferred, parseAlone);
    if (isRequest(told.parsed)) return { unit: bare, told, isZoneless: countZoneless() !== before };
    const found = search(bare, told, 0, tries);
    return found !== undefined && isRequest(found.told.parsed) ? found : undefined;
  }

  interface Found {
    unit: Unit;
    told: ReadLine;
    isZoneless: boolean;
  }

  /** Returns the first way of peeling a text under which it is a request; else what a wrapper that is sure of itself holds. */
  function search(
    unit: Unit,
    outer: ReadLine,
    depth: number,
    tries: { left: number },
    names: readonly WrapperName[] = WRAPPER_NAMES,
  ): Found | undefined {
    if (depth >= MAX_LAYERS) return undefined;
    let sure: Found | undefined;
    for (const name of names) {
      const wrapper = WRAPPERS[name];
      const beforePeel = countZoneless();
      const peeled = wrapper.peel(unit.text, context);
      if (peeled === undefined || peeled.isHeading === true || peeled.payload === unit.text) continue;
      if (tries.left-- <= 0) return sure;
      const inner = unwrapped(unit, name, peeled, countZoneless() !== beforePeel);
      const deeperSure = surelyDeeper(inner, depth + 1, tries);
      if (deeperSure !== undefined) return deeperSure;
      const before = countZoneless();
      const told = readLine(inner.text, preferred, parseAlone);
      if (isRequest(told.parsed)) return { unit: inner, told, isZoneless: countZoneless() !== before };
      const deeper = search(inner, told, name === 'ansi' ? depth : depth + 1, tries);
      if (deeper !== undefined && isRequest(deeper.told.parsed)) return deeper;
      // A line that its own format rejects is that, whatever could be read into it.
      if (wrapper.isSure && outer.parsed === 'other') sure ??= deeper ?? { unit: inner, told, isZoneless: false };
    }
    return sure;
  }

  function surelyDeeper(unit: Unit, depth: number, tries: { left: number }): Found | undefined {
    const isWrapped = depth < MAX_LAYERS && SURE.some((name) => WRAPPERS[name].peel(unit.text, context) !== undefined);
    const found = isWrapped ? search(unit, { parsed: 'other', format: undefined }, depth, tries, SURE) : undefined;
    return found !== undefined && isRequest(found.told.parsed) ? found : undefined;
  }

  function emit(unit: Unit, told: ReadLine, isZoneless: boolean): void {
    const { parsed } = told;
    const [first] = unit.accounts;
    if (first === undefined) return;
    const isDated = isRequest(parsed) && date(parsed, unit);
    const isUnsure = isRequest(parsed) && (isZoneless || (isDated && unit.isStampZoneless));
    if (isUnsure) sink.zoneless?.();
    sink.told?.({ ...toldOf(unit), ...told, isZoneless: isUnsure });
    if (typeof parsed === 'string') return;
    if ('reject' in parsed) {
      rejectUnits(parsed.reject, unit.text, unit.accounts);
    } else if ('halves' in parsed) {
      first.halves.push(...parsed.halves);
      raise(unit.accounts, HALVES);
    } else {
      for (let time = 0; time < unit.times; time++) {
        for (const record of parsed.records) sink.record(record, first.line, first.parts++, parsed.origin);
      }
      raise(unit.accounts, RECORD);
    }
  }

  /** Gives records without a stamp that of their wrapper, which is the moment when the line was written. Returns whether one took it. */
  function date(parsed: Exclude<Parsed, string | { reject: unknown }>, { stamp }: Unit): boolean {
    let isTaken = false;
    const records = 'halves' in parsed ? parsed.halves : parsed.records.map((record) => ({ record, side: 'request' }) as const);
    for (const { record, side } of records) {
      if (record.ts !== null) context.near = record.ts;
      else if (stamp !== null) {
        record.ts = 'records' in parsed && side === 'request' ? startOf(stamp, record.duration_us) : stamp.us;
        context.near = stamp.us;
        isTaken = true;
      }
    }
    return isTaken;
  }

  /** A piece of a line that is too long to be held: JSON is cut into its elements, anything else is left out. */
  function pushPiece(text: string, account: Account, isFirst: boolean, goesOn: boolean): void {
    const key = section;
    const open = isFirst && mayBeJson(text) ? documentsOf(key) : documents.get(key);
    const unit = newUnit(text.slice(0, 256), account);
    const taken = !isSkipping && open?.push(text, unit, goesOn) === true;
    if (!taken) {
      isSkipping = true;
      rejectUnits('line_too_long', text.slice(0, 256), [account]);
    }
    if (!goesOn) isSkipping = false;
  }

  function newUnit(text: string, account: Account): Unit {
    const around = { layers: [], stamp: null, isStampZoneless: false, key: section, times: 1, nesting: 0 };
    return { text, raw: text, accounts: [account], ...around };
  }

  return {
    lines: () => line,
    isWithinDocument: () => [...documents.values()].some((open) => open.isOpen()),
    push(text, goesOn = false) {
      const isFirst = begun === undefined;
      const account = begun ?? { line: ++line, holds: 1, status: OTHER, parts: 0, halves: [], reject: undefined };
      if (goesOn || !isFirst) {
        if (isFirst) flush();
        pushPiece(text, account, isFirst, goesOn);
        begun = goesOn ? account : undefined;
      } else if (text !== '') descend(newUnit(text, account), 0);
      if (!goesOn) release([account]);
    },
    end() {
      flush();
      for (const key of pieces.keys()) giveUp(key);
      flush();
      for (const open of documents.values()) open.end();
      documents.clear();
    },
  };
}

function accountsOf(units: readonly Unit[]): Account[] {
  const [first] = units;
  return units.length === 1 && first !== undefined ? first.accounts : units.flatMap(({ accounts }) => accounts);
}

function layersOf({ layers }: Unit): number {
  return layers.filter((name) => name !== 'ansi').length;
}

function mayBeJson(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first > 32) return first === 123 || first === 91;
  const start = text.trimStart().charCodeAt(0);
  return start === 123 || start === 91;
}

/** Returns what a text consists of, if of several: the records of a list, or lines. */
function textsOf(text: string): string[] | undefined {
  if (mayBeJson(text)) {
    const elements = elementsOf(text);
    if (elements !== undefined) return elements;
  }
  return text.includes('\n') ? text.split(/\r?\n/) : undefined;
}
