// Limits the requests that a client sends on one connection without waiting for the responses. Node starts all requests that have
// arrived, hundreds per read, before it serves other connections, so that a few connections could block the process for minutes.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Proxies and most clients send one at a time. */
export const MAX_PIPELINED = 16;

export function createPipelineLimit() {
  const unanswered = new WeakMap<Socket, Set<ServerResponse>>();
  /** False: there were too many, and the connection is closed: an error could not be sent before the responses to the earlier requests. */
  return function begin({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply): boolean {
    if (socket.destroyed) return false; // the rest of what had arrived
    const responses = unanswered.getOrInsertComputed(socket, () => new Set());
    if (responses.size >= MAX_PIPELINED) {
      socket.destroy();
      return false;
    }
    responses.add(raw);
    raw.once('close', () => responses.delete(raw));
    return true;
  };
}
