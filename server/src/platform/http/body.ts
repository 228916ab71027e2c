// Reads request bodies: JSON only, bounded, and drained when refused so that the client sees the answer instead of a reset.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

export const JSON_LIMIT_BYTES = 1_048_576; // 1 MiB for every JSON call (gap G-60)
const DRAIN_LIMIT_BYTES = 8_388_608; // beyond this the connection is cut: the client is not a careless one

export function registerBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error'); // refuses __proto__ and constructor.prototype

  app.addContentTypeParser(['application/json'], async (request: FastifyRequest, payload: IncomingMessage) => {
    if (isPacked(request))
      throw new AppError('unsupported_media_type', { message: 'Send the body without Content-Encoding.' });
    const text = await readText(payload, JSON_LIMIT_BYTES);
    if (text === '') return undefined; // an empty body is no body
    return new Promise((resolve, reject) => {
      parseJson(request, text, (error, value) => (error ? reject(brokenJson(text)) : resolve(value)));
    });
  });

  app.addContentTypeParser('*', async (_request: FastifyRequest, payload: IncomingMessage) => {
    const text = await readText(payload, JSON_LIMIT_BYTES);
    if (text === '') return undefined;
    throw new AppError('unsupported_media_type');
  });
}

function isPacked({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding !== 'identity';
}

async function readText(payload: IncomingMessage, limitBytes: number): Promise<string> {
  return decodeUtf8(await readBytes(payload, limitBytes));
}

/** Drained beyond the limit, so that the client sees the answer. */
export async function readBytes(payload: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of payload as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limitBytes) chunks.push(chunk);
    else chunks.length = 0;
    if (size > Math.max(limitBytes, DRAIN_LIMIT_BYTES)) break; // leaving the loop destroys the stream
  }
  if (size > limitBytes) throw new AppError('payload_too_large', { details: { limit_bytes: limitBytes } });
  return Buffer.concat(chunks, size);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new AppError('invalid_body', { details: { issues: [{ path: '', message: 'is not valid UTF-8' }] } });
  }
}

/** The framework's message says nothing of the place; the language's does. */
function brokenJson(text: string): AppError {
  let message = 'has a key that is not allowed (__proto__ or constructor)';
  try {
    JSON.parse(text);
  } catch (error) {
    message = `is not valid JSON: ${(error as Error).message}`;
  }
  return new AppError('invalid_body', { details: { issues: [{ path: '', message }] } });
}
