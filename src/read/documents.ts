// JSON that spans lines, and lists of records on one line or many: cut into their elements while they are read, never held whole.
import { MAX_LINE } from './blocks.ts';

/** A piece of JSON without blanks between its tokens, and the lines it stands on, first to last. */
export interface Element<Line> {
  text: string;
  lines: readonly Line[];
}

/** What becomes of the text that is pushed. Lines are held as long as an element may stand on them. */
export interface DocumentHandlers<Line> {
  /** One of a list of records. */
  element(element: Element<Line>): void;
  /** A value by itself; `elements` are what it lists, if it may be an envelope. */
  whole(element: Element<Line>, elements: readonly Element<Line>[]): void;
  /** Lines that looked like the beginning of a value and are none. */
  lines(lines: readonly { text: string; line: Line }[]): void;
  /** A value that broke off, or that is too long to be kept. */
  failed(reason: 'truncated' | 'line_too_long', lines: readonly Line[]): void;
  /** The line belongs to a value that is too long to be kept. */
  part(line: Line): void;
  hold(line: Line): void;
  release(line: Line): void;
}

export interface Documents<Line> {
  isOpen(): boolean;
  /** Takes a line, or a piece of one that goes on. Returns false if it is none of a document's; a whole value on one line is none either. */
  push(text: string, line: Line, goesOn: boolean): boolean;
  /** Nothing follows. */
  end(): void;
}

/** Lists whose elements are records, by the keys that lead to them; `*` stands for an index. */
const ENVELOPES = new Set([
  '',
  'records',
  'Records',
  'events',
  'logEvents',
  'entries',
  'logs',
  'items',
  'data',
  'results',
  'value',
  'log.entries',
  'hits.hits',
  'data.result.*.values',
  'streams.*.values',
]);
/** Of these the elements are lists themselves. */
const LISTS_OF_LISTS = new Set(['results', 'data.result.*.values', 'streams.*.values']);
/** Lists that mean something in their envelope only, so each element gets one of its own. */
const REWRAPPED = new Set(['resourceLogs', 'resourceSpans']);

const SCALAR = /-?\d[\d.eE+-]*|true|false|null/y;
const MAX_DEPTH = 256;

/** What may come next within an object or a list. */
type Next = 'key or end' | 'key' | 'colon' | 'value' | 'value or end' | 'comma or end';

interface Frame {
  isList: boolean;
  key: string;
  next: Next;
}

interface Draft<Line> {
  parts: string[];
  size: number;
  lines: Line[];
  /** Frames around it. */
  depth: number;
  rewrap: string;
  isTooLong: boolean;
}

/** Returns a cutter of documents; elements beyond `maxSize` characters are not kept. */
export function openDocuments<Line>(handlers: DocumentHandlers<Line>, maxSize = MAX_LINE): Documents<Line> {
  const { hold, release } = handlers;
  let frames: Frame[] = [];
  let carry = '';
  let whole: Draft<Line> | undefined;
  let element: Draft<Line> | undefined;
  /** Elements of a value that may yet be a record of its own. */
  let collected: Element<Line>[] = [];
  let kept: { text: string; line: Line }[] = [];
  let keptSize = 0;
  let isKeeping = false;
  /** The value is a list of records for certain, or too long to be anything else. */
  let isStreaming = false;
  /** Depth of the list whose elements are cut out, or 0. */
  let listDepth = 0;
  let hasGiven = false;

  const newDraft = (line: Line, rewrap = ''): Draft<Line> => {
    hold(line);
    return { parts: [], size: 0, lines: [line], depth: frames.length, rewrap, isTooLong: false };
  };

  function releaseAll(lines: readonly Line[]): void {
    for (const line of lines) release(line);
  }

  function reset(): void {
    frames = [];
    carry = '';
    if (whole !== undefined) releaseAll(whole.lines);
    if (element !== undefined) releaseAll(element.lines);
    for (const { lines } of collected) releaseAll(lines);
    releaseAll(kept.map(({ line }) => line));
    whole = element = undefined;
    collected = [];
    kept = [];
    keptSize = 0;
    isStreaming = hasGiven = isKeeping = false;
    listDepth = 0;
  }

  function add(token: string, line: Line): void {
    if (whole !== undefined && addTo(whole, token, line)) stream();
    if (element !== undefined && addTo(element, token, line)) {
      // Its first line stands for it; what it held of the others is let go.
      giveUp(element);
    }
  }

  function giveUp(draft: Draft<Line>): void {
    draft.isTooLong = true;
    draft.parts = [];
    for (const line of draft.lines.splice(1)) {
      handlers.part(line);
      release(line);
    }
  }

  /** Returns whether the draft has just become too long. */
  function addTo(draft: Draft<Line>, token: string, line: Line): boolean {
    if (draft.isTooLong) {
      if (draft.lines[0] !== line) handlers.part(line);
      return false;
    }
    if (draft.lines.at(-1) !== line) {
      hold(line);
      draft.lines.push(line);
    }
    draft.parts.push(token);
    draft.size += token.length;
    return draft.size > maxSize;
  }

  /** From now on elements are given as they come: the value is no record, or one too long. */
  function stream(): void {
    isStreaming = true;
    if (collected.length > 0 || element !== undefined) {
      if (whole !== undefined) releaseAll(whole.lines);
      whole = undefined;
    } else if (whole !== undefined) giveUp(whole);
    dropKept();
    const ready = collected;
    collected = [];
    for (const one of ready) give(one);
  }

  function dropKept(): void {
    isKeeping = false;
    releaseAll(kept.map(({ line }) => line));
    kept = [];
  }

  function give(one: Element<Line>): void {
    hasGiven = true;
    dropKept();
    handlers.element(one);
    releaseAll(one.lines);
  }

  function beginElement(line: Line): void {
    const key = pathOf(frames.slice(0, -1));
    element = newDraft(line, REWRAPPED.has(key) ? key : '');
  }

  function endElement(): void {
    const draft = element;
    if (draft === undefined) return;
    element = undefined;
    if (draft.isTooLong) {
      hasGiven = true;
      handlers.failed('line_too_long', draft.lines);
      releaseAll(draft.lines);
      return;
    }
    const text = draft.parts.join('');
    const one = { text: draft.rewrap === '' ? text : `{"${draft.rewrap}":[${text}]}`, lines: draft.lines };
    if (isStreaming) give(one);
    else collected.push(one);
  }

  function endValue(): void {
    if (whole?.isTooLong === true) {
      if (!hasGiven) handlers.failed('line_too_long', whole.lines);
    } else if (whole !== undefined) handlers.whole({ text: whole.parts.join(''), lines: whole.lines }, collected);
    reset();
  }

  /** A value that stands in a list of records is an element, if it is of the right kind. */
  function opensElement(isList: boolean): boolean {
    if (element !== undefined || listDepth === 0 || frames.length !== listDepth) return false;
    return !isList || LISTS_OF_LISTS.has(pathOf(frames.slice(0, -1)));
  }

  function open(isList: boolean, line: Line): boolean {
    if (frames.length >= MAX_DEPTH) return false;
    if (opensElement(isList)) beginElement(line);
    const isRecordList = isList && listDepth === 0 && isEnvelope(pathOf(frames));
    frames.push({ isList, key: '', next: isList ? 'value or end' : 'key or end' });
    if (isRecordList) listDepth = frames.length;
    return true;
  }

  function close(): void {
    frames.pop();
    if (frames.length < listDepth) listDepth = 0;
    const around = frames.at(-1);
    if (around !== undefined) around.next = 'comma or end';
  }

  /** Returns where the scan stopped: behind the value, at the end of the text (`frames` are open then), or -1 for no JSON. */
  function scan(text: string, line: Line, goesOn: boolean): number {
    let at = 0;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code === 32 || code === 9 || code === 13) {
        at++;
        continue;
      }
      const frame = frames.at(-1);
      const end = tokenEnd(text, at, code);
      if (end === -1 || (end === text.length && goesOn && code !== 34 && !isPunctuation(code))) {
        // A text or a number that is cut, which it can only be by the end of a piece.
        if (!goesOn || text.length - at > maxSize) return -1;
        carry = text.slice(at);
        return text.length;
      }
      if (end === 0 || !step(frame, code, text, at, end, line)) return -1;
      at = end;
      if (frames.length === 0) return at;
    }
    return at;
  }

  /** Takes one token. Returns false where JSON allows none such. */
  function step(frame: Frame | undefined, code: number, text: string, at: number, end: number, line: Line): boolean {
    const next = frame?.next ?? 'value';
    const isClosing = code === 125 || code === 93;
    if (isClosing) {
      const isRight = frame !== undefined && frame.isList === (code === 93) && next.endsWith('or end');
      if (!isRight) return false;
      close();
      add(text.slice(at, end), line);
      if (element !== undefined && frames.length === element.depth) endElement();
      return true;
    }
    if (code === 44 || code === 58) {
      if (frame === undefined || next !== (code === 44 ? 'comma or end' : 'colon')) return false;
      frame.next = code === 58 || frame.isList ? 'value' : 'key';
      add(text.slice(at, end), line);
      return true;
    }
    if (frame !== undefined && next.startsWith('key')) {
      if (code !== 34) return false;
      frame.key = text.slice(at + 1, Math.min(end - 1, at + 65));
      frame.next = 'colon';
      add(text.slice(at, end), line);
      return true;
    }
    if (!next.startsWith('value')) return false;
    if (code === 123 || code === 91) {
      if (!open(code === 91, line)) return false;
    } else if (frame === undefined) return false;
    else frame.next = 'comma or end';
    add(text.slice(at, end), line);
    return true;
  }

  /** Returns whether a text may begin a value that is not for its format to read as a line. */
  function begins(text: string, line: Line, goesOn: boolean): boolean {
    const first = text.trimStart().charCodeAt(0);
    if (first !== 123 && first !== 91) return false;
    if (!goesOn && isWholeLine(text, first)) return false;
    isStreaming = first === 91;
    isKeeping = !goesOn;
    if (first === 123) whole = newDraft(line);
    return true;
  }

  function keep(text: string, line: Line): void {
    keptSize += text.length + 1;
    if (keptSize > maxSize) {
      if (!isStreaming) stream();
      dropKept();
      return;
    }
    hold(line);
    kept.push({ text, line });
  }

  /** What was taken for JSON is none from here on. */
  function giveBack(): void {
    const lines = kept;
    kept = [];
    const broken = element ?? (hasGiven ? undefined : whole);
    if (lines.length > 0) handlers.lines(lines);
    else if (broken !== undefined) handlers.failed(broken.isTooLong ? 'line_too_long' : 'truncated', broken.lines);
    releaseAll(lines.map(({ line }) => line));
    reset();
  }

  const isOpen = () => frames.length > 0 || carry !== '';

  return {
    isOpen,
    push(text, line, goesOn) {
      let rest = text;
      let isTaken = false;
      for (;;) {
        const isFirst = !isOpen();
        if (isFirst && !begins(rest, line, goesOn)) return isTaken;
        const all = carry + rest;
        carry = '';
        const end = scan(all, line, goesOn);
        if (end === -1 && isFirst) {
          reset();
          return isTaken;
        }
        if (end === -1) {
          giveBack();
          continue;
        }
        if (isOpen()) {
          if (isKeeping) keep(rest, line);
          return true;
        }
        endValue();
        isTaken = true;
        const behind = all.slice(end).trimStart();
        rest = behind.startsWith(',') ? behind.slice(1).trimStart() : behind;
        if (rest === '') return true;
      }
    },
    end() {
      if (isOpen()) giveBack();
    },
  };
}

/** Whether a value begins and ends on a line: told by its last character, and for a list, which much text begins like, by reading it. */
function isWholeLine(text: string, first: number): boolean {
  const line = text.trimEnd();
  if (first === 123) return line.endsWith('}');
  if (!line.endsWith(']')) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Returns the elements of a text that holds several values, or an envelope with a list of records; undefined for any other. */
export function elementsOf(text: string): string[] | undefined {
  const values: string[] = [];
  let listed = 0;
  const documents = openDocuments<null>({
    element(one) {
      listed++;
      values.push(one.text);
    },
    whole(one, elements) {
      listed += elements.length;
      values.push(...(elements.length > 0 ? elements.map((inner) => inner.text) : [one.text]));
    },
    lines: () => undefined,
    failed: () => undefined,
    part: () => undefined,
    hold: () => undefined,
    release: () => undefined,
  });
  documents.push(text, null, true);
  documents.end();
  return listed > 0 || values.length > 1 ? values : undefined;
}

function isEnvelope(path: string): boolean {
  return ENVELOPES.has(path) || REWRAPPED.has(path);
}

function pathOf(frames: readonly Frame[]): string {
  return frames.map(({ isList, key }) => (isList ? '*' : key)).join('.');
}

function isPunctuation(code: number): boolean {
  return code === 123 || code === 125 || code === 91 || code === 93 || code === 44 || code === 58;
}

/** Returns the offset behind a token, -1 if the text ends within it, 0 if there is none such. */
function tokenEnd(text: string, at: number, code: number): number {
  if (isPunctuation(code)) return at + 1;
  if (code === 34) return stringEnd(text, at);
  SCALAR.lastIndex = at;
  if (SCALAR.test(text)) return SCALAR.lastIndex;
  // `tru` at the end of a piece.
  return /^(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|-)$/.test(text.slice(at, at + 5)) ? -1 : 0;
}

function stringEnd(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text.charCodeAt(before) === 92 && before > at) before--;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  return -1;
}
