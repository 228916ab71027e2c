// Scans the tags of a large XML text that arrives in pieces. Several times faster than a complete XML parser, and forgiving:
// it skips the DTD, comments, text and characters that XML does not allow, all of which occur in real exports.
import { importError } from '../import-error.ts';

const COMMON = ['type', 'sourceName', 'device', 'unit', 'startDate', 'endDate', 'value', 'key'] as const;
const UNUSED = ['creationDate', 'sourceVersion'];
/** The attributes of most tags, in an object that always has the same shape; all others are in `others`. */
type OpenAttributes = { [Name in (typeof COMMON)[number]]: string | undefined } & {
  others: Readonly<Record<string, string | undefined>>;
};
export type TagAttributes = Readonly<OpenAttributes>;

type TagHandler = {
  /** Is asked at each tag. The position after the element that the handler has read itself, or -1. */
  readWhole(text: string, at: number, line: number): number;
  /** `isClosed`: the element has no content. */
  open(name: string, attributes: TagAttributes, isClosed: boolean, line: number): void;
  close(name: string): void;
};

type TagScanner = { push(text: string): void; readonly line: number };

/** The longest tag of a real export has a few kB. Bounds the memory for a file without line breaks. */
const MAX_TAG_LENGTH = 1_048_576;

const LINE_FEED = 10;
const SPACE = 32;
const SLASH = 47;
const EQUALS = 61;
const GREATER = 62;
const EXCLAMATION = 33;
const QUESTION = 63;
/** Where a comment, the DTD or a processing instruction ends. A damaged DTD ends where the data begins. */
const ENDS = { '<!--': /-->/g, '<!DOCTYPE': /\]\s*>|(?=<HealthData\b)/g, '<?': /\?>/g } as const;
const MARKERS = Object.keys(ENDS) as (keyof typeof ENDS)[];
const LONGEST_MARKER = '<!DOCTYPE'.length;
const LONGEST_END = '<HealthData '.length;

/** By length and first letter, which are unique; UNUSED come after COMMON. An array is several times faster than a map. */
const KNOWN: ({ readonly name: string; readonly slot: number } | undefined)[] = new Array(4_096).fill(undefined);
for (const [slot, name] of [...COMMON, ...UNUSED].entries()) KNOWN[hash(name, 0, name.length)] = { name, slot };
const NO_OTHERS = {};

export function createTagScanner(handler: TagHandler): TagScanner {
  let rest = '';
  let line = 1;
  /** The end of a comment or DTD that is being skipped. */
  let until: RegExp | null = null;

  const countLines = (text: string, from: number, to: number) => {
    for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) line += 1;
  };

  /** The position after the tag, or -1 if the tag is not complete yet. */
  const readTag = (text: string, start: number): number => {
    if (start + 1 >= text.length) return -1;
    if (text.charCodeAt(start + 1) === SLASH) {
      const end = text.indexOf('>', start);
      if (end >= 0) handler.close(text.slice(start + 2, end).trimEnd());
      return end < 0 ? -1 : end + 1;
    }
    let at = start + 1;
    while (at < text.length && text.charCodeAt(at) > SPACE && !isEnd(text.charCodeAt(at))) at += 1;
    const name = text.slice(start + 1, at);
    const attributes = emptyAttributes();
    let others: Record<string, string> | null = null;
    for (;;) {
      while (text.charCodeAt(at) <= SPACE) at += 1;
      if (at >= text.length) return -1;
      const code = text.charCodeAt(at);
      if (isEnd(code)) {
        const end = code === GREATER ? at : text.indexOf('>', at);
        if (end < 0) return -1;
        if (others !== null) attributes.others = others;
        handler.open(name, attributes, code === SLASH, line);
        return end + 1;
      }
      let equals = at; // names are short: a loop is faster than a search
      while (equals < text.length && text.charCodeAt(equals) !== EQUALS) equals += 1;
      if (equals + 1 >= text.length) return -1;
      const end = text.indexOf(text.charAt(equals + 1), equals + 2);
      if (end < 0) return -1;
      const known = KNOWN[hash(text, at, equals)];
      if (known === undefined || !text.startsWith(known.name, at)) {
        others ??= {};
        others[text.slice(at, equals)] = text.slice(equals + 2, end);
      } else if (known.slot < COMMON.length) setAttribute(attributes, known.slot, text.slice(equals + 2, end));
      at = end + 1;
    }
  };

  return {
    get line() {
      return line;
    },
    push(piece) {
      const text = rest === '' ? piece : rest + piece;
      rest = '';
      let at = 0;
      for (;;) {
        if (until !== null) {
          until.lastIndex = at;
          const found = until.exec(text);
          const end = found === null ? Math.max(at, text.length - LONGEST_END) : found.index + found[0].length;
          countLines(text, at, end);
          at = end;
          if (found === null) break;
          until = null;
        }
        const start = text.indexOf('<', at);
        if (start === at + 2 && text.charCodeAt(at) === LINE_FEED) line += 1;
        else countLines(text, at, start < 0 ? text.length : start);
        at = start < 0 ? text.length : start;
        const code = text.charCodeAt(at + 1);
        if (code === EXCLAMATION || code === QUESTION) {
          if (text.length - at < LONGEST_MARKER) break;
          const marker = MARKERS.find((candidate) => text.startsWith(candidate, at));
          if (marker !== undefined) {
            until = marker === '<!DOCTYPE' && hasNoSubset(text, at) ? />/g : ENDS[marker];
            continue;
          }
        }
        let end = handler.readWhole(text, at, line);
        if (end < 0) end = readTag(text, at);
        if (end < 0) break;
        countLines(text, at, end);
        at = end;
      }
      rest = text.slice(at);
      if (rest.length > MAX_TAG_LENGTH)
        throw importError(`a tag has more than ${MAX_TAG_LENGTH} characters. The file is damaged.`, `line ${line}`);
    },
  };
}

function hash(text: string, from: number, to: number): number {
  return (to - from) * 128 + text.charCodeAt(from);
}

function emptyAttributes(): OpenAttributes {
  return {
    type: undefined,
    sourceName: undefined,
    device: undefined,
    unit: undefined,
    startDate: undefined,
    endDate: undefined,
    value: undefined,
    key: undefined,
    others: NO_OTHERS,
  };
}

/** By the position in COMMON. A property whose name is computed would take several times as long. */
function setAttribute(attributes: OpenAttributes, slot: number, value: string): void {
  if (slot === 0) attributes.type = value;
  else if (slot === 1) attributes.sourceName = value;
  else if (slot === 2) attributes.device = value;
  else if (slot === 3) attributes.unit = value;
  else if (slot === 4) attributes.startDate = value;
  else if (slot === 5) attributes.endDate = value;
  else if (slot === 6) attributes.value = value;
  else attributes.key = value;
}

function isEnd(code: number): boolean {
  return code === GREATER || code === SLASH;
}

/** A document type without declarations in brackets. */
function hasNoSubset(text: string, at: number): boolean {
  const end = text.indexOf('>', at);
  return end >= 0 && !text.slice(at, end).includes('[');
}
