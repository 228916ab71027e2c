// A body that was written by hand, because it is large: sent as it is, not through the schema's serialiser. Its schema is
// declared all the same, and the tests hold every answer against it.
import { Readable } from 'node:stream';

export type JsonPieces = AsyncIterable<string | Buffer>;
export type JsonContent = string | Buffer | JsonPieces;

/** Says when the next piece may be made. */
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
 * What can be sent. The first piece of a stream is waited for: a fault before it is an ordinary error. One that comes later
 * cuts the connection, so that half an answer is never taken for a whole one.
 */
export async function openContent(
  { content }: PreparedJson,
  pace: Pace = (work) => work(),
): Promise<string | Buffer | Readable> {
  if (typeof content === 'string' || Buffer.isBuffer(content)) return content;
  const pieces = content[Symbol.asyncIterator]();
  const first = await pieces.next();
  return Readable.from(continueFrom(first, pieces, pace), { objectMode: true, highWaterMark: 1 }); // one piece ahead
}

type Piece = IteratorResult<string | Buffer>;

/** No generator: one that was never asked for a piece would not stop what makes them. */
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
