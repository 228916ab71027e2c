// A large response body that its operation writes itself instead of the schema's serialiser. Its schema is still declared,
// and the tests validate every response against it.
import { Readable } from 'node:stream';

export type JsonPieces = AsyncIterable<string | Buffer>;
type JsonContent = string | Buffer | JsonPieces;

/** Resolves when the next chunk can be written. */
export type Pace = <Result>(work: () => Promise<Result>) => Promise<Result>;

export class PreparedJson {
  readonly content: JsonContent;

  constructor(content: JsonContent) {
    this.content = content;
  }
}

export function preparedJson(content: JsonContent): PreparedJson {
  return new PreparedJson(content);
}

/**
 * Waits for the first chunk of a stream, so that a failure before it is an ordinary error response. A later failure closes the
 * connection, so that no client takes a partial body for a complete one.
 */
export async function openContent(
  { content }: PreparedJson,
  pace: Pace = (work) => work(),
): Promise<string | Buffer | Readable> {
  if (typeof content === 'string' || Buffer.isBuffer(content)) return content;
  const pieces = content[Symbol.asyncIterator]();
  const first = await pieces.next();
  return Readable.from(continueFrom(first, pieces, pace), { objectMode: true, highWaterMark: 1 }); // one chunk ahead
}

type Piece = IteratorResult<string | Buffer>;

/** Not a generator: a generator that was never started would not stop its source. */
function continueFrom(first: Piece, pieces: AsyncIterator<string | Buffer>, pace: Pace): JsonPieces {
  let held: Piece | null = first;
  const next = async () => {
    const piece = held ?? (await pace(() => pieces.next()));
    held = null;
    return piece;
  };
  const stop = async () => (await pieces.return?.()) ?? { done: true as const, value: undefined };
  return { [Symbol.asyncIterator]: () => ({ next, return: stop }) };
}
