// A body that was written by hand, because it is large: sent as it is, not through the schema's serialiser. Its schema is
// declared all the same, and the tests hold every answer against it.
import { Readable, type Writable } from 'node:stream';

/** The bytes of a piece are the writer's again when the next one is asked for. */
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
  return new PieceStream(await pieces.next(), pieces, pace);
}

type Pieces = AsyncIterator<string | Buffer>;
type Piece = IteratorResult<string | Buffer>;

/**
 * Piped, each piece is written out before the next is made: into the same bytes, without a copy and without layers between.
 * Read in any other way it is an ordinary stream of copies.
 */
class PieceStream extends Readable {
  #held: Piece | null;
  readonly #pieces: Pieces;
  readonly #pace: Pace;

  constructor(first: Piece, pieces: Pieces, pace: Pace) {
    super({ objectMode: true, highWaterMark: 1 }); // pieces as they are, not joined
    this.#held = first;
    this.#pieces = pieces;
    this.#pace = pace;
  }

  override pipe<Target extends NodeJS.WritableStream>(target: Target): Target {
    this.#pump(target as unknown as Writable).catch((error: Error) => this.destroy(error));
    return target;
  }

  override _read(): void {
    this.#next().then(
      ({ done, value }) => this.push(done ? null : Buffer.from(value)),
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const stopped = this.#pieces.return?.() ?? Promise.resolve();
    stopped.then(
      () => done(error),
      () => done(error),
    );
  }

  async #pump(target: Writable): Promise<void> {
    for (let piece = await this.#next(); !piece.done; piece = await this.#next()) {
      if (this.destroyed) return; // nobody reads any more
      const { value } = piece;
      await new Promise((written) => target.write(value, written));
    }
    this.push(null);
    this.resume();
    target.end();
  }

  async #next(): Promise<Piece> {
    const piece = this.#held ?? (await this.#pace(() => this.#pieces.next()));
    this.#held = null;
    return piece;
  }
}
