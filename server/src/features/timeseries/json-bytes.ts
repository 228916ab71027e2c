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

/** Measured: half of it costs more turns of the stream, a third more makes texts that V8 keeps apart and returns to the system. */
export const PIECE_BYTES = 98_304;
/** Beside it, so that few items make a piece grow. */
const SLACK_BYTES = 1_024;
const WORD_BYTES = 8;
const ZERO = 0x30;
const COMMA = 0x2c;
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

/** As text: its bytes are used again for the next one. New ones would be five megabytes of garbage a week of samples. */
export function takePiece(outbox: Outbox): string {
  const text = outbox.bytes.toString('utf8', 0, outbox.length);
  outbox.length = 0;
  return text;
}

export function createStencil(text: string): Stencil {
  const encoded = Buffer.from(text);
  const words = new Float64Array(Math.ceil(encoded.length / WORD_BYTES));
  const bytes = Buffer.from(words.buffer, 0, encoded.length);
  encoded.copy(bytes);
  return { bytes, words, length: encoded.length };
}

export function stamp(outbox: Outbox, { words, length }: Stencil): void {
  reserve(outbox, words.length * WORD_BYTES); // the last word may reach over the end; the next item writes over it
  const { view, length: place } = outbox;
  for (let index = 0; index < words.length; index += 1)
    view.setFloat64(place + index * WORD_BYTES, words[index] as number, true);
  outbox.length = place + length;
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
  const { bytes } = outbox;
  const end = outbox.length + countDigits(whole);
  let rest = whole;
  for (let place = end - 1; place >= outbox.length; place -= 1) {
    const shorter = (rest / 10) | 0;
    bytes[place] = ZERO + rest - shorter * 10;
    rest = shorter;
  }
  outbox.length = end;
}

function countDigits(whole: number): number {
  let digits = 1;
  for (let limit = 10; limit <= whole; limit *= 10) digits += 1;
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
