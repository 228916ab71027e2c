// Reads bodies that may be packed (Content-Encoding) and larger than others: unpacked as they arrive and cut as soon as
// they pass a limit, so that a few packed bytes never become many. What is refused is drained, so that the client sees
// the answer instead of a reset. For routes whose row says so; all others keep body.ts.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { constants, createGunzip, createZstdDecompress, type Gunzip, type ZstdDecompress } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

export type PackedLimits = { readonly packedBytes: number; readonly unpackedBytes: number };
export const PACKED_LIMITS: PackedLimits = {
  packedBytes: 8 * 1_048_576, // 8 MB as sent (gap G-52)
  unpackedBytes: 20 * 1_048_576, // 20 MB of JSON
};

/** The JSON, and the bytes it was read from: for the raw layer, and to tell whether a retry sends the same. */
export type PackedJson = { readonly json: unknown; readonly bytes: Buffer };

/** Read on after a refusal, as body.ts does; beyond this the connection is cut. */
const DRAIN_LIMIT_BYTES = 8_388_608;
/** RFC 9659: the window of zstd as a content coding has at most 8 MB. Its decoder would reserve 128 MB otherwise. */
const ZSTD_WINDOW_LOG = 23;
const CHUNK_BYTES = 262_144; // unpacked per turn of the thread pool: a quarter of the turns of 64 KiB, half the time
/** As many as an ordinary body of 1 MiB can hold. 20 MB of "{}," would take half a gigabyte; no useful record is that small. */
export const MAX_CONTAINERS = 524_288;

const ENCODINGS = ['identity', 'gzip', 'zstd'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Inside a scope of its own: the parsers of a scope are those of its routes alone. */
export function registerPackedBodyParsers(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(['application/json'], async (request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await readPackedBody(payload, request.headers['content-encoding']);
    return bytes === null ? undefined : ({ json: parseJsonBytes(bytes), bytes } satisfies PackedJson);
  });
  scope.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await readPackedBody(payload, request.headers['content-encoding']);
    if (bytes !== null) throw new AppError('unsupported_media_type');
  });
}

/** Null for an empty body, which is no body. Never destroys the stream, unless the client goes on and on. */
export async function readPackedBody(
  payload: Readable,
  contentEncoding: string | undefined,
  limits: PackedLimits = PACKED_LIMITS,
): Promise<Buffer | null> {
  const encoding = parseEncoding(contentEncoding);
  const unpacker = createUnpacker(encoding ?? 'identity', limits.unpackedBytes);
  let refusal: AppError | null = null;
  let packedBytes = 0;
  let drainedBytes = 0;
  try {
    for await (const chunk of payload as AsyncIterable<Buffer>) {
      packedBytes += chunk.length;
      if (refusal === null) {
        if (encoding === null && packedBytes > 0) refusal = unsupportedEncoding();
        else if (packedBytes > limits.packedBytes) refusal = tooLarge(limits.packedBytes);
        else refusal = await unpacker.write(chunk);
        if (refusal !== null) unpacker.drop();
      } else {
        drainedBytes += chunk.length;
        if (drainedBytes > DRAIN_LIMIT_BYTES) break; // leaving the loop destroys the stream
      }
    }
    if (packedBytes === 0) return null;
    const result = refusal ?? (await unpacker.end());
    if (result instanceof AppError) throw result;
    return result.length === 0 ? null : result;
  } finally {
    unpacker.drop();
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function parseJsonBytes(bytes: Buffer): unknown {
  if (countContainers(bytes) > MAX_CONTAINERS)
    throw new AppError('payload_too_large', { details: { limit_containers: MAX_CONTAINERS } });
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw invalidBody('is not valid UTF-8');
  }
  try {
    return JSON.parse(text); // nothing is ever merged into another object, so __proto__ is a field like any unknown one
  } catch (error) {
    throw invalidBody(`is not valid JSON: ${(error as Error).message}`);
  }
}

type Unpacker = {
  /** Null: go on. */
  write(chunk: Buffer): Promise<AppError | null>;
  end(): Promise<Buffer | AppError>;
  /** Forgets all; may be called at any time. */
  drop(): void;
};

function createUnpacker(encoding: Encoding, limitBytes: number): Unpacker {
  if (encoding === 'identity') return createCollector(limitBytes);
  const decoder = createDecoder(encoding);
  const collector = createCollector(limitBytes);
  let refusal: AppError | null = null;
  const stop = (reason: AppError) => {
    refusal ??= reason;
    decoder.destroy(); // a bomb is not unpacked further
  };
  // A decoder that fails or is stopped never calls back for what it was given: then its closing does.
  let goOn = () => {};
  const settled = (begin: (done: () => void) => void) =>
    new Promise<void>((resolve) => {
      goOn = resolve;
      if (decoder.closed) resolve();
      else begin(resolve);
    });
  decoder.once('close', () => goOn());
  decoder.on('data', (chunk: Buffer) => {
    const reason = collector.add(chunk);
    if (reason !== null) stop(reason);
  });
  decoder.on('error', (error) => stop(invalidBody(describeDamage(encoding, error))));
  return {
    async write(chunk) {
      if (refusal === null) await settled((done) => decoder.write(chunk, () => done()));
      return refusal;
    },
    async end() {
      await settled((done) => decoder.once('end', done).end());
      return refusal ?? collector.end();
    },
    drop() {
      decoder.destroy();
      collector.drop();
    },
  };
}

function createCollector(limitBytes: number): Unpacker & { add(chunk: Buffer): AppError | null } {
  let chunks: Buffer[] = [];
  let size = 0;
  const add = (chunk: Buffer) => {
    size += chunk.length;
    if (size > limitBytes) return tooLarge(limitBytes);
    chunks.push(chunk);
    return null;
  };
  return {
    add,
    write: async (chunk) => add(chunk),
    end: async () => (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size)),
    drop() {
      chunks = [];
    },
  };
}

function createDecoder(encoding: 'gzip' | 'zstd'): Gunzip | ZstdDecompress {
  if (encoding === 'gzip') return createGunzip({ chunkSize: CHUNK_BYTES });
  const params = { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG };
  return createZstdDecompress({ chunkSize: CHUNK_BYTES, params });
}

/** Null: none that we read. Several at once are none: no client packs twice but to hide something. */
function parseEncoding(header: string | undefined): Encoding | null {
  const name = (header ?? '').trim().toLowerCase();
  if (name === '') return 'identity';
  if (name === 'x-gzip') return 'gzip'; // RFC 9110, 8.4.1.3
  return ENCODINGS.find((encoding) => encoding === name) ?? null;
}

/** Below a length the count cannot be passed, and nearly all bodies are below it. */
function countContainers(bytes: Buffer): number {
  if (bytes.length <= MAX_CONTAINERS * 2) return 0;
  let count = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    if (((bytes[index] as number) | 0x20) === 0x7b) count += 1; // { and [ differ in this bit
  }
  return count;
}

function describeDamage(encoding: Encoding, error: Error & { code?: string }): string {
  if (error.code === 'Z_BUF_ERROR') return `is cut off: the ${encoding} data ends too early`;
  if (error.code === 'ZSTD_error_frameParameter_windowTooLarge')
    return 'needs a zstd window of more than 8 MB (RFC 9659)';
  return `is no valid ${encoding} data`;
}

function unsupportedEncoding(): AppError {
  return new AppError('unsupported_media_type', {
    message: 'Send the body with Content-Encoding gzip, zstd or identity.',
    details: { content_encodings: ENCODINGS },
    headers: { 'accept-encoding': ENCODINGS.join(', ') }, // RFC 9110, 15.5.16
  });
}

function tooLarge(limitBytes: number): AppError {
  return new AppError('payload_too_large', { details: { limit_bytes: limitBytes } });
}

function invalidBody(message: string): AppError {
  return new AppError('invalid_body', { details: { issues: [{ path: '', message }] } });
}
