// JSON as bytes, written item by item into pieces that are given away as they fill. What hardly changes from item to item is a
// stencil: its bytes are made once, patched where they differ, and copied eight at a time, which is faster than text.

type Piece = { bytes: Buffer; view: DataView; length: number };
/** `separator` is what the next item of the list begins with. */
export type Outbox = Piece & { separator: number };

/**
 * May be patched through `bytes`; the words are the same memory, in the order of all machines that Node is made for here. As
 * numbers they could change on the way only if they were none (NaN), for which F0 would have to follow 7F in a text.
 */
export type Stencil = { readonly bytes: Buffer; readonly words: Float64Array; readonly length: number };

export const PIECE_BYTES = 131_072;
/** Beside it: one more item fits, unless it has sources. */
export const SLACK_BYTES = 1_024;
const WORD_BYTES = 8;
const ZERO = 0x30;
export const COMMA = 0x2c;
const BRACKET = 0x5b;
const MAX_DIGITS = 10; // of what `| 0` can hold

export function createOutbox(): Outbox {
  return { ...openPiece(PIECE_BYTES + SLACK_BYTES), separator: BRACKET };
}

export function beginItem(outbox: Outbox): void {
  reserve(outbox, 1);
  outbox.bytes[outbox.length] = outbox.separator;
  outbox.length += 1;
  outbox.separator = COMMA;
}

export function endList(outbox: Outbox): void {
  writeText(outbox, outbox.separator === BRACKET ? '[]' : ']');
}

export function isFull({ length }: Outbox): boolean {
  return length >= PIECE_BYTES;
}

/** Good until more is written: the same bytes take the next piece. New ones would be five megabytes of garbage a week of samples. */
export function takePiece(outbox: Outbox): Buffer {
  const piece = outbox.bytes.subarray(0, outbox.length);
  outbox.length = 0;
  return piece;
}

export function createStencil(text: string): Stencil {
  const encoded = Buffer.from(text);
  const words = new Float64Array(Math.ceil(encoded.length / WORD_BYTES));
  const bytes = Buffer.from(words.buffer, 0, encoded.length);
  encoded.copy(bytes);
  return { bytes, words, length: encoded.length };
}

export function stamp(outbox: Outbox, stencil: Stencil): void {
  reserve(outbox, stencil.words.length * WORD_BYTES); // the last word may reach over the end; the next item writes over it
  outbox.length = stampAt(outbox.view, outbox.length, stencil);
}

/** Where there is room for all its words. Gives the place after it. */
export function stampAt(view: DataView, place: number, { words, length }: Stencil): number {
  for (let index = 0; index < words.length; index += 1)
    view.setFloat64(place + index * WORD_BYTES, words[index] as number, true);
  return place + length;
}

export function writeText(outbox: Outbox, text: string): void {
  reserve(outbox, text.length * 3); // the most that UTF-8 can take
  outbox.length += outbox.bytes.write(text, outbox.length);
}

/** As JSON.stringify writes it. Most values are small whole numbers. */
export function writeNumber(outbox: Outbox, value: number): void {
  const whole = value | 0;
  if (whole !== value || whole < 0) {
    writeText(outbox, String(value));
    return;
  }
  reserve(outbox, MAX_DIGITS);
  outbox.length = putWhole(outbox.bytes, outbox.length, whole);
}

/** At least 0, where there is room for it. Gives the place after it. */
export function putWhole(bytes: Buffer, place: number, whole: number): number {
  const end = place + countDigits(whole);
  let rest = whole;
  for (let at = end - 1; at > place; at -= 1) {
    const shorter = (rest / 10) | 0;
    bytes[at] = ZERO + rest - shorter * 10;
    rest = shorter;
  }
  bytes[place] = ZERO + rest;
  return end;
}

function countDigits(whole: number): number {
  if (whole < 1_000) return whole < 10 ? 1 : whole < 100 ? 2 : 3;
  let digits = 4;
  for (let limit = 10_000; limit <= whole; limit *= 10) digits += 1;
  return digits;
}

function reserve(outbox: Outbox, more: number): void {
  if (outbox.length + more <= outbox.bytes.length) return;
  const { bytes, length } = outbox;
  Object.assign(outbox, openPiece(Math.max(bytes.length * 2, length + more)));
  bytes.copy(outbox.bytes, 0, 0, length);
  outbox.length = length;
}

function openPiece(size: number): Piece {
  const bytes = Buffer.allocUnsafeSlow(size);
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, size), length: 0 };
}
