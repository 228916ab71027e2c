// Bodies that are a part of a file. The page that sends a file splits it, so that no request holds much memory or takes long.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { readHeldBytes } from './body.ts';
import type { BodyBudget } from './body-budget.ts';

export const MAX_PART_BYTES = 4 * 1_048_576;
const PART_TIMEOUT_MS = 60_000; // 4 MB at 70 kB/s

/** Needs a Fastify scope of its own, because parsers apply to all routes of a scope. */
export function registerByteParsers(scope: FastifyInstance, budget: BodyBudget): void {
  scope.removeAllContentTypeParsers();
  const limits = { budget, limitBytes: MAX_PART_BYTES, timeMs: PART_TIMEOUT_MS };
  const read = (request: FastifyRequest, payload: IncomingMessage) => readHeldBytes(request, payload, limits);
  scope.addContentTypeParser(['application/octet-stream'], read);
  scope.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    if ((await read(request, payload)).length > 0) throw new AppError('unsupported_media_type');
  });
}
