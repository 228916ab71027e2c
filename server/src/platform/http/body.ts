// Reads JSON bodies of API calls within the limits of the route.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { BodyBudget } from './body-budget.ts';
import type { Caller } from './caller.ts';
import { BODY_LIMITS, createJsonMeter } from './json-limits.ts';
import { addressBucket } from './rate-limit.ts';
import { readBytes } from './read-bytes.ts';

/** Of every JSON call but uploads (gap G-60). `json-limits.ts` bounds what parsing costs, the budget what all bodies occupy. */
export const MAX_JSON_BYTES = 1_048_576;
/** Limit for requests without a matching route. */
const UNEXPECTED_LIMIT_BYTES = 16_384;
export const BODY_TIMEOUT_MS = 15_000; // an ordinary body is a few kB: seconds even on a slow connection

export function registerBodyParsers(app: FastifyInstance, budget: BodyBudget): void {
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error'); // rejects __proto__ and constructor.prototype

  app.addContentTypeParser(['application/json'], async (request: FastifyRequest, payload: IncomingMessage) => {
    if (isPacked(request))
      throw new AppError('unsupported_media_type', { message: 'Send the body without Content-Encoding.' });
    const bytes = await readJsonBytes(request, payload, budget);
    if (bytes.length === 0) return undefined; // an empty body counts as none
    createJsonMeter(BODY_LIMITS).add(bytes);
    const text = decodeUtf8(bytes);
    return new Promise((resolve, reject) => {
      parseJson(request, text, (error, value) => (error ? reject(brokenJson(text)) : resolve(value)));
    });
  });

  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await readJsonBytes(request, payload, budget);
    if (bytes.length > 0) throw new AppError('unsupported_media_type');
  });
}

function isPacked({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding !== 'identity';
}

function readJsonBytes(request: FastifyRequest, payload: IncomingMessage, budget: BodyBudget): Promise<Buffer> {
  const limitBytes = request.route?.maxBodyBytes ?? UNEXPECTED_LIMIT_BYTES;
  return readHeldBytes(request, payload, { budget, limitBytes, timeMs: BODY_TIMEOUT_MS });
}

/** The bytes count against the budget until the response is sent. */
export function readHeldBytes(
  request: FastifyRequest,
  payload: IncomingMessage,
  { budget, limitBytes, timeMs }: { budget: BodyBudget; limitBytes: number; timeMs: number },
): Promise<Buffer> {
  if (request.response?.closed) return Promise.reject(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
  const hold = budget.open(shareKeyOf(request.caller, request.clientAddress));
  request.response?.once('close', hold.release); // emitted in every case: sent, failed or aborted
  return readBytes(payload, { bytes: limitBytes, timeMs, take: hold.take });
}

/** The key of a request's share: the account of its credential, or its address. */
export function shareKeyOf(caller: Caller | null, address: string | undefined): string {
  return caller !== null && 'tenant' in caller ? `account:${caller.tenant.accountId}` : addressBucket(address);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new AppError('invalid_body', { details: { issues: [{ path: '', message: 'is not valid UTF-8' }] } });
  }
}

/** Uses the message of JSON.parse, which has the position of the error; the framework's does not. */
function brokenJson(text: string): AppError {
  let message = 'has a key that is not allowed (__proto__ or constructor)';
  try {
    JSON.parse(text);
  } catch (error) {
    message = `is not valid JSON: ${(error as Error).message}`;
  }
  return new AppError('invalid_body', { details: { issues: [{ path: '', message }] } });
}
