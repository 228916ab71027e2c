// Upload bodies, which can be compressed (Content-Encoding) and larger than others. They are kept compressed until the
// operation has a thread to unpack them, so that waiting uploads use little memory.
import type { IncomingMessage } from 'node:http';
import {
  constants,
  createGunzip,
  createZstdDecompress,
  type Gunzip,
  gunzipSync,
  type ZstdDecompress,
  zstdDecompressSync,
} from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { readHeldBytes } from './body.ts';
import type { BodyBudget } from './body-budget.ts';
import { createJsonMeter, UPLOAD_LIMITS } from './json-limits.ts';

export const MAX_PACKED_BYTES = 8 * 1_048_576; // 8 MB as sent (gap G-52)
export const MAX_UNPACKED_BYTES = 20 * 1_048_576; // 20 MB of JSON

/** Parsing this little is harmless in a thread, and counting values would take longer. */
const UNMETERED_BYTES = 131_072;

/**
 * Limits of the expansion per compressed byte. Samples with different times stay far below: gzip and zstd need at least two
 * bytes for each, and a sample has at most eight values. gzip cannot exceed 1,032 bytes per byte.
 */
const EXPANSION = { bytes: 1_100, values: 64 };
const ALWAYS_ALLOWED = { bytes: 1_048_576, values: 100_000 };

const UPLOAD_TIMEOUT_MS = 110_000; // 8 MB at 75 kB/s, for phones on a slow connection

const ENCODINGS = ['identity', 'gzip', 'zstd'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The bytes as received. */
export type PackedBody = { readonly bytes: Buffer; readonly encoding: Encoding };

/** RFC 9659 limits the zstd window to 8 MB. Without the limit the decoder would reserve 128 MB. */
const ZSTD_WINDOW_LOG = 23;
const CHUNK_BYTES = 262_144; // four times the usual 64 KiB: unpacking takes half the time
const SMALL_CHUNK_BYTES = 16_384; // small bodies are frequent, and the memory of chunks is freed late

/** Needs a Fastify scope of its own, because parsers apply to all routes of a scope. */
export function registerPackedBodyParsers(scope: FastifyInstance, budget: BodyBudget): void {
  scope.removeAllContentTypeParsers();
  const read = (request: FastifyRequest, payload: IncomingMessage) => readPackedBody(request, payload, budget);
  scope.addContentTypeParser(['application/json'], read);
  scope.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    if ((await read(request, payload)) !== undefined) throw new AppError('unsupported_media_type');
  });
}

/** Undefined for an empty body. */
async function readPackedBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  budget: BodyBudget,
): Promise<PackedBody | undefined> {
  const encoding = parseEncoding(request.headers['content-encoding']);
  const limits = { budget, limitBytes: MAX_PACKED_BYTES, timeMs: UPLOAD_TIMEOUT_MS };
  const bytes = await readHeldBytes(request, payload, limits);
  if (bytes.length === 0) return undefined;
  if (encoding === null) throw unsupportedEncoding();
  return { bytes, encoding };
}

/** Null: larger than the limit. Synchronous, so that only one decoder holds memory, which is megabytes for zstd. */
export function unpackSmallBody({ bytes, encoding }: PackedBody, limitBytes: number): PackedBody | null {
  if (bytes.length > limitBytes) return null;
  if (encoding === 'identity') return { bytes, encoding };
  try {
    const unpack = encoding === 'gzip' ? gunzipSync : zstdDecompressSync;
    return {
      bytes: unpack(bytes, { ...optionsOf(encoding, SMALL_CHUNK_BYTES), maxOutputLength: limitBytes }),
      encoding: 'identity',
    };
  } catch (error) {
    const { code } = error as Error & { code?: string };
    if (code === 'ERR_BUFFER_TOO_LARGE') return null;
    throw invalidBody(describeDamage(encoding, code));
  }
}

/** Stops at the limits of bytes, values or keys, so that a decompression bomb is not unpacked further. */
export async function unpackBody({ bytes, encoding }: PackedBody): Promise<Buffer> {
  const limitOf = (kind: 'bytes' | 'values', most: number) =>
    encoding === 'identity' ? most : Math.min(most, Math.max(ALWAYS_ALLOWED[kind], bytes.length * EXPANSION[kind]));
  const limitBytes = limitOf('bytes', MAX_UNPACKED_BYTES);
  const meter = createJsonMeter({ ...UPLOAD_LIMITS, values: limitOf('values', UPLOAD_LIMITS.values) });
  const chunks: Buffer[] = [];
  let size = 0;
  let metered = 0;
  const add = (chunk: Buffer) => {
    size += chunk.length;
    if (size > limitBytes) throw tooLarge(limitBytes);
    chunks.push(chunk);
    if (size > UNMETERED_BYTES) for (; metered < chunks.length; metered += 1) meter.add(chunks[metered] as Buffer);
  };
  if (encoding === 'identity') add(bytes);
  else for await (const chunk of decode(bytes, encoding)) add(chunk);
  return Buffer.concat(chunks, size);
}

async function* decode(bytes: Buffer, encoding: 'gzip' | 'zstd'): AsyncGenerator<Buffer> {
  const decoder: Gunzip | ZstdDecompress =
    encoding === 'gzip' ? createGunzip(optionsOf(encoding)) : createZstdDecompress(optionsOf(encoding));
  decoder.end(bytes);
  try {
    yield* decoder as AsyncIterable<Buffer>;
  } catch (error) {
    throw invalidBody(describeDamage(encoding, (error as Error & { code?: string }).code));
  } finally {
    decoder.destroy();
  }
}

function optionsOf(encoding: 'gzip' | 'zstd', chunkSize = CHUNK_BYTES) {
  const params = { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG };
  return { chunkSize, ...(encoding === 'zstd' && { params }) };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Only for bytes that unpackBody has checked. */
export function parseJsonBytes(bytes: Buffer): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw invalidBody('is not valid UTF-8');
  }
  try {
    return JSON.parse(text); // __proto__ is an unknown field like any other, because nothing is merged into another object
  } catch (error) {
    throw invalidBody(`is not valid JSON: ${(error as Error).message}`);
  }
}

/** Null: not supported. Several encodings at once are not supported either: no honest client compresses twice. */
function parseEncoding(header: string | undefined): Encoding | null {
  const name = (header ?? '').trim().toLowerCase();
  if (name === '') return 'identity';
  if (name === 'x-gzip') return 'gzip'; // RFC 9110, 8.4.1.3
  return ENCODINGS.find((encoding) => encoding === name) ?? null;
}

function describeDamage(encoding: Encoding, code: string | undefined): string {
  if (code === 'Z_BUF_ERROR') return `is truncated: the ${encoding} data ends too early`;
  if (code === 'ZSTD_error_frameParameter_windowTooLarge') return 'needs a zstd window of more than 8 MB (RFC 9659)';
  return `is not valid ${encoding} data`;
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
