// A response as a stream of bytes. Nothing is read ahead of its consumer.
import type { WaitLimit } from './time-limit.ts';

/** What an export excludes because the terms of a provider forbid passing it on. */
export type Exclusions = {
  readonly providers: readonly { readonly provider: string; readonly restrictions: readonly string[] }[];
  /** Number of records by resource. */
  readonly records: Readonly<Record<string, number>>;
};

/** Read it to the end or cancel it: it holds a connection. */
export type ExportStream = NonNullable<Response['body']> &
  AsyncIterable<Uint8Array> & {
    /** Null: the file is complete. */
    readonly excluded: Exclusions | null;
  };

type Chunk = { readonly done: boolean; readonly value?: Uint8Array | undefined };
type Reader = { read(): Promise<Chunk>; cancel(reason: unknown): Promise<void> };

/** The first chunk has arrived. */
export type OpenedBody = {
  readonly first: Chunk;
  readonly reader: Reader;
  readonly excluded: Exclusions | null;
  readonly limit: WaitLimit;
};

export type BrokenStream = { readonly cause: unknown; readonly isTimeout: boolean };

type StreamOptions = {
  readonly signal: AbortSignal | undefined;
  readonly errorOf: (broken: BrokenStream) => Error;
};

export async function openBody({ body, headers }: Response, limit: WaitLimit): Promise<OpenedBody> {
  if (!body) throw new TypeError('this fetch cannot stream a response');
  const reader = body.getReader();
  const first = await reader.read();
  limit.endWait();
  return { first, reader, excluded: JSON.parse(headers.get('tributary-excluded') ?? 'null'), limit };
}

export function streamOf(
  { first, reader, excluded, limit }: OpenedBody,
  { signal, errorOf }: StreamOptions,
): ExportStream {
  let held: Chunk | null = first;

  async function readNext(): Promise<Chunk> {
    if (held === null) limit.beginWait();
    try {
      return held ?? (await reader.read());
    } catch (cause) {
      limit.end();
      throw signal?.aborted ? signal.reason : errorOf({ cause, isTimeout: limit.signal.aborted });
    } finally {
      held = null;
      limit.endWait();
    }
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await readNext();
        if (value !== undefined) controller.enqueue(value);
        if (!done) return;
        limit.end();
        controller.close();
      },
      cancel(reason) {
        limit.end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return Object.assign(stream, { excluded }) as ExportStream;
}
