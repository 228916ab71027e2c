// Limits, per address, how many requests have an incomplete body, and for how long. Bodies that are read have their own time
// limit (read-bytes.ts); this file handles bodies that nobody reads because the request was rejected.

import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { SECOND_MS } from '../../domain/time/durations.ts';
import { AppError } from '../errors.ts';
import { addressBucket } from './rate-limit.ts';

type UnfinishedRequests = {
  /** Call when a request begins. Null: continue. */
  begin(request: FastifyRequest): AppError | null;
  /** Call after the response: drops a body that is still arriving for a while, then closes the connection. */
  limitRest(request: FastifyRequest): void;
};

/** Enough for hundreds of phones behind one address, because most bodies arrive with their headers. */
export const MAX_UNFINISHED_PER_ADDRESS = 100;
const REST_MS = 5_000; // enough for a client to read the response and stop sending

export function createUnfinishedRequests(): UnfinishedRequests {
  const open = new Map<string, Set<IncomingMessage>>();
  return {
    begin({ raw, clientAddress }) {
      if (!hasBody(raw)) return null;
      const address = addressBucket(clientAddress);
      const requests = open.getOrInsertComputed(address, () => new Set());
      // Completed requests are removed lazily, because completion is only known later.
      if (requests.size >= MAX_UNFINISHED_PER_ADDRESS)
        for (const request of requests) if (request.complete) requests.delete(request);
      if (requests.size >= MAX_UNFINISHED_PER_ADDRESS) return tooMany();
      requests.add(raw);
      raw.once('close', () => {
        requests.delete(raw);
        if (requests.size === 0 && open.get(address) === requests) open.delete(address);
      });
      return null;
    },
    limitRest({ raw }) {
      if (!hasBody(raw) || raw.complete) return;
      const timer = setTimeout(() => raw.socket.destroy(), REST_MS).unref();
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
    retryAfterMs: SECOND_MS,
    headers: { connection: 'close' },
  });
}
