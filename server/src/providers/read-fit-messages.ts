// Reads the messages of a FIT file, of which only the wanted fields are decoded. Sizes are checked against the file, and nothing is kept
// between messages but the last definition of each of the 16 local types. https://developer.garmin.com/fit/protocol/

/** The field numbers that a message is decoded into, each at its index. */
export type WantedFields = readonly number[];

type MessageSink = {
  /** By global message number. */
  readonly wanted: ReadonlyMap<number, WantedFields>;
  /** `values` is used again for the next message. NaN: not given. `texts` has the text fields of a message that wants any. */
  add(message: number, values: Float64Array, texts: readonly string[]): void;
};

type Field = { readonly slot: number; readonly at: number; readonly size: number; readonly baseType: number };
type Definition = {
  readonly message: number;
  readonly isLittleEndian: boolean;
  /** Of a data message, without its header byte. */
  readonly size: number;
  /** Position of the timestamp; -1: none. */
  readonly timeAt: number;
  readonly fields: readonly Field[];
};
type Reader = { readonly view: DataView; readonly end: number; readonly definitions: (Definition | undefined)[] };

/** Field number of the timestamp in every message. */
export const TIMESTAMP = 253;
const TEXT = 0x07;
const HEADER_SIZES: ReadonlySet<number> = new Set([12, 14]);
const SIGNATURE = 0x2e_46_49_54; // ".FIT"
const MOST_FIELDS = 256; // a field number is a byte

/** Throws an Error that says why the file cannot be read. */
export function readFitMessages(bytes: Uint8Array, sink: MessageSink): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = readHeader(view);
  const reader: Reader = { view, end: start + view.getUint32(4, true), definitions: [] };
  if (reader.end > bytes.length) throw new Error('the file is cut off');
  const values = new Float64Array(MOST_FIELDS);
  let lastTime = Number.NaN;
  for (let at = start; at < reader.end; ) {
    const header = bytes[at] as number;
    const isCompressed = (header & 0x80) !== 0;
    if (!isCompressed && (header & 0x40) !== 0) {
      at = readDefinition(reader, sink, at);
      continue;
    }
    const definition = reader.definitions[isCompressed ? (header >> 5) & 0x03 : header & 0x0f];
    if (definition === undefined) throw new Error('a message has no definition');
    if (at + 1 + definition.size > reader.end) throw new Error('a message is cut off');
    lastTime = isCompressed ? addOffset(lastTime, header & 0x1f) : readTime(view, definition, at + 1, lastTime);
    if (sink.wanted.has(definition.message))
      addMessage(reader, sink, { definition, at: at + 1, values, lastTime, isCompressed });
    at += 1 + definition.size;
  }
}

/** Returns where the messages start. */
function readHeader(view: DataView): number {
  const size = view.byteLength < 12 ? 0 : view.getUint8(0);
  if (!HEADER_SIZES.has(size) || view.byteLength < size || view.getUint32(8) !== SIGNATURE)
    throw new Error('not a FIT file');
  return size;
}

/** Returns the position after the definition. */
function readDefinition({ view, end, definitions }: Reader, { wanted }: MessageSink, at: number): number {
  const header = view.getUint8(at);
  if (at + 6 > end) throw new Error('a definition is cut off');
  const isLittleEndian = view.getUint8(at + 2) === 0;
  const message = view.getUint16(at + 3, isLittleEndian);
  const slots = wanted.get(message) ?? [];
  const fields: Field[] = [];
  let size = 0;
  let timeAt = -1;
  let next = at + 6 + view.getUint8(at + 5) * 3;
  const hasOwnFields = (header & 0x20) !== 0; // fields that an app of the device has defined, which are skipped
  if (next + (hasOwnFields ? 1 : 0) > end) throw new Error('a definition is cut off');
  for (let field = at + 6; field < next; field += 3) {
    const number = view.getUint8(field);
    const length = view.getUint8(field + 1);
    if (number === TIMESTAMP && length === 4) timeAt = size;
    const slot = slots.indexOf(number);
    if (slot >= 0) fields.push({ slot, at: size, size: length, baseType: view.getUint8(field + 2) });
    size += length;
  }
  if (hasOwnFields) {
    const first = next + 1;
    next = first + view.getUint8(next) * 3;
    if (next > end) throw new Error('a definition is cut off');
    for (let field = first; field < next; field += 3) size += view.getUint8(field + 1);
  }
  definitions[header & 0x0f] = { message, isLittleEndian, size, timeAt, fields };
  return next;
}

function readTime(view: DataView, { timeAt, isLittleEndian }: Definition, at: number, lastTime: number): number {
  if (timeAt < 0) return lastTime;
  const time = view.getUint32(at + timeAt, isLittleEndian);
  return time === 0xffff_ffff ? Number.NaN : time;
}

/** The low five bits of a later time: at most 31 seconds after the last one. */
function addOffset(lastTime: number, offset: number): number {
  return lastTime + ((offset - (lastTime % 32) + 32) % 32);
}

type Found = {
  readonly definition: Definition;
  readonly at: number;
  readonly values: Float64Array;
  readonly lastTime: number;
  readonly isCompressed: boolean;
};

function addMessage(
  { view }: Reader,
  sink: MessageSink,
  { definition, at, values, lastTime, isCompressed }: Found,
): void {
  const { message, fields, isLittleEndian } = definition;
  const wanted = sink.wanted.get(message) as WantedFields;
  values.fill(Number.NaN, 0, wanted.length);
  const texts: string[] = [];
  for (const { slot, at: offset, size, baseType } of fields) {
    if (baseType === TEXT) texts.push(readText(view, at + offset, size));
    else values[slot] = readInteger(view, at + offset, size, baseType, isLittleEndian);
  }
  const timeSlot = wanted.indexOf(TIMESTAMP);
  if (isCompressed && timeSlot >= 0) values[timeSlot] = lastTime;
  sink.add(message, values, texts);
}

/** NaN: the value that means "not given", a list, or a type that none of the wanted fields has. */
function readInteger(view: DataView, at: number, size: number, baseType: number, isLittleEndian: boolean): number {
  switch ((baseType << 8) | size) {
    case 0x0001: // enum
    case 0x0201: // uint8
    case 0x0d01: // byte
      return orNaN(view.getUint8(at), 0xff);
    case 0x0101:
      return orNaN(view.getInt8(at), 0x7f);
    case 0x8302:
      return orNaN(view.getInt16(at, isLittleEndian), 0x7fff);
    case 0x8402:
      return orNaN(view.getUint16(at, isLittleEndian), 0xffff);
    case 0x8504:
      return orNaN(view.getInt32(at, isLittleEndian), 0x7fff_ffff);
    case 0x8604:
      return orNaN(view.getUint32(at, isLittleEndian), 0xffff_ffff);
    case 0x0a01: // uint8z
      return orNaN(view.getUint8(at), 0);
    case 0x8b02: // uint16z
      return orNaN(view.getUint16(at, isLittleEndian), 0);
    case 0x8c04: // uint32z
      return orNaN(view.getUint32(at, isLittleEndian), 0);
    default:
      return Number.NaN;
  }
}

function orNaN(value: number, notGiven: number): number {
  return value === notGiven ? Number.NaN : value;
}

/** Up to the first zero. */
function readText(view: DataView, at: number, size: number): string {
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, size);
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}
