// A body that was written by hand, because it is large: sent as it is, not through the schema's serialiser. Its schema is
// declared all the same, and the tests hold every answer against it.
import { Readable } from 'node:stream';

export type JsonContent = string | Buffer | AsyncIterable<string>;

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
export async function openContent({ content }: PreparedJson): Promise<string | Buffer | Readable> {
  if (typeof content === 'string' || Buffer.isBuffer(content)) return content;
  const pieces = content[Symbol.asyncIterator]();
  const first = await pieces.next();
  // Pieces as they are: cut into bytes here, each would be copied once more.
  return Readable.from(resume(first, pieces));
}

/** No generator: one that never began would not tell the pieces that nobody reads them any more. */
function resume(first: IteratorResult<string>, pieces: AsyncIterator<string>): AsyncIterable<string> {
  let held: IteratorResult<string> | null = first;
  const next = async () => {
    const piece = held ?? (await pieces.next());
    held = null;
    return piece;
  };
  const stop = async () => {
    await pieces.return?.();
    return { done: true as const, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: stop }) };
}
