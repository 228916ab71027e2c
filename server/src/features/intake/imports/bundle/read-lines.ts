// Splits the bytes of a bundle into lines, without holding more than one of them.
import { importError } from '../import-error.ts';

/** The longest line is a workout with a heart rate per second: four days of them, and less than an operator call accepts. */
export const MAX_LINE_BYTES = 7_500_000;

const LINE_FEED = 0x0a;

export type RawLine = {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** With the line feed, as in the file. */
  readonly bytes: Uint8Array;
  /** False: the file ends within the line. */
  readonly isWhole: boolean;
};

export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<RawLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let number = 1;
  const take = (isWhole: boolean): RawLine => {
    const bytes = pending.length === 1 && pending[0] ? pending[0] : Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    const text = decode(decoder, isWhole ? bytes.subarray(0, -1) : bytes, number);
    return { number: number++, text, bytes, isWhole };
  };
  for await (const chunk of chunks)
    for (let from = 0; from < chunk.length; ) {
      const found = chunk.indexOf(LINE_FEED, from);
      const to = found === -1 ? chunk.length : found + 1;
      pending.push(chunk.subarray(from, to));
      pendingBytes += to - from;
      if (pendingBytes > MAX_LINE_BYTES)
        throw importError(
          `has more than ${MAX_LINE_BYTES} bytes, and no line of a bundle is that long. The file is damaged or is not a bundle; export it again.`,
          `line ${number}, column ${MAX_LINE_BYTES + 1}`,
        );
      if (found !== -1) yield take(true);
      from = to;
    }
  if (pendingBytes > 0) yield take(false);
}

function decode(decoder: TextDecoder, bytes: Uint8Array, number: number): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw importError('the text is not UTF-8. The file is damaged; export it again.', `line ${number}`);
  }
}
