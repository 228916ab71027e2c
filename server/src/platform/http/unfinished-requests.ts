// Requests whose body has not arrived yet: a bounded number for each address, and not for long. Reading has a time limit of
// its own (read-bytes.ts); here are the bodies that nobody reads, because the request was refused before.
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { addressBucket } from './rate-limit.ts';

export type UnfinishedRequests = {
  /** When a request begins. Null: go on. */
  begin(request: FastifyRequest): AppError | null;
  /** When it has been answered: a body that is still arriving is dropped for a while, then the connection is cut. */
  limitRest(request: FastifyRequest): void;
};

/** Hundreds of phones behind one address are fine: most bodies arrive with their headers. */
export const MAX_UNFINISHED_PER_ADDRESS = 100;
const REST_MS = 5_000; // enough for a client to notice the answer and stop sending

export function createUnfinishedRequests(limit = MAX_UNFINISHED_PER_ADDRESS, restMs = REST_MS): UnfinishedRequests {
  const open = new Map<string, Set<IncomingMessage>>();
  return {
    begin({ raw, ip }) {
      if (!hasBody(raw)) return null;
      const address = addressBucket(ip);
      const requests = open.getOrInsertComputed(address, () => new Set());
      // Whether all of a body has arrived is known only later, so it is looked at when it matters.
      if (requests.size >= limit) for (const request of requests) if (request.complete) requests.delete(request);
      if (requests.size >= limit) return tooMany();
      requests.add(raw);
      raw.once('close', () => {
        requests.delete(raw);
        if (requests.size === 0 && open.get(address) === requests) open.delete(address);
      });
      return null;
    },
    limitRest({ raw }) {
      if (!hasBody(raw) || raw.complete) return;
      const timer = setTimeout(() => raw.socket.destroy(), restMs).unref();
      raw.once('close', () => clearTimeout(timer));
    },
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function tooMany(): AppError {
  return new AppError('rate_limited', {
    message: 'Too many unfinished requests from your network. Finish some of them first.',
    headers: { 'retry-after': '1', connection: 'close' },
  });
}
