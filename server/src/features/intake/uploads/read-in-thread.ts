// Reads large uploads in a worker thread, so that the event loop stays free. The parts come back as bytes and are deserialized
// one at a time, because copying them at once would block the event loop.
import { deserialize, serialize } from 'node:v8';
import type { PackedBody } from '../../../platform/http/packed-body.ts';
import type { ThreadOutput } from '../../../platform/threads/thread.ts';
import type { ThreadPool } from '../../../platform/threads/thread-pool.ts';
import type { PreparedBatch } from '../../pipeline/ingest/index.ts';
import { type BodyContext, type ReadUpload, readBody } from './read-body.ts';

type Input = { readonly bytes: Uint8Array; readonly encoding: PackedBody['encoding']; readonly context: BodyContext };
type Output = Omit<ReadUpload, 'parts'> & { readonly parts: readonly Uint8Array<ArrayBuffer>[] };

export async function readInThread(
  threads: ThreadPool,
  account: string,
  body: PackedBody,
  context: BodyContext,
): Promise<ReadUpload> {
  const bytes = new Uint8Array(body.bytes); // a copy, because a pooled buffer cannot be transferred
  const output = await threads.run<Output>({
    module: new URL(import.meta.url),
    input: { bytes, encoding: body.encoding, context } satisfies Input,
    transfer: [bytes.buffer],
    account,
  });
  return { ...output, parts: output.parts.values().map((part) => deserialize(part) as PreparedBatch) };
}

/** Runs in the worker thread. */
export default async function readForCaller({ bytes, encoding, context }: Input): Promise<ThreadOutput<Output>> {
  const { parts, ...read } = await readBody({ bytes: Buffer.from(bytes.buffer), encoding }, context);
  const serialized = Array.from(parts, (part) => new Uint8Array(serialize(part)));
  return { output: { ...read, parts: serialized }, transfer: serialized.map(({ buffer }) => buffer) };
}
