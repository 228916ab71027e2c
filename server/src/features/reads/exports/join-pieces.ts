// Joins the pieces of a streamed file.
import { createYielder } from '../../../platform/event-loop.ts';

export type Pieces = AsyncGenerator<string | Buffer>;

/** As in a timeseries: Node scans texts of more than 65,535 characters again before it sends them. */
export const TEXT_AT_ONCE = 49_152;

/**
 * Joins small texts, and yields to the event loop in between. Texts stay texts: V8 collects the whole heap after a few new buffers of
 * this size.
 */
export async function* joinPieces(pieces: Pieces): Pieces {
  const yieldIfDue = createYielder();
  let text = '';
  for await (const piece of pieces) {
    await yieldIfDue();
    if (typeof piece !== 'string') yield piece;
    else text += piece;
    if (text.length < TEXT_AT_ONCE) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
