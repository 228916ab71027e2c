// Limits the memory of responses that clients do not read: somebody could request many large ones and leave them in this process.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import { shareKeyOf } from './body.ts';
import { createBodyBudget } from './body-budget.ts';

export type ReplyBudget = {
  /** Until the response is sent or its connection closed. Throws `overloaded`. */
  hold(reply: FastifyReply, content: unknown): void;
};

const TOTAL_BYTES = 256 * 1_048_576; // one account has half of it: hundreds of responses with a year of days
const SMALL_BYTES = 65_536; // a connection has as much room, so these rarely wait in the process
const STREAM_BYTES = 1_048_576; // about what a stream has read ahead
const SILENT_MS = 2 * MINUTE_MS; // a client that reads nothing for this long is disconnected

export function createReplyBudget(totalBytes = TOTAL_BYTES): ReplyBudget {
  const budget = createBodyBudget({ totalBytes, freeBytes: 0 });
  return {
    hold(reply, content) {
      const bytes = sizeOf(content);
      if (bytes <= SMALL_BYTES || reply.raw.closed) return;
      const { caller, clientAddress } = reply.request;
      const held = budget.open(shareKeyOf(caller, clientAddress));
      const refusal = held.take(bytes);
      if (refusal !== null) {
        if (content instanceof Readable) content.destroy();
        throw refusal;
      }
      reply.raw.once('close', held.release);
      reply.raw.setTimeout(SILENT_MS);
    },
  };
}

/** Of text in characters, which are bytes with few exceptions. */
function sizeOf(content: unknown): number {
  if (typeof content === 'string' || Buffer.isBuffer(content)) return content.length;
  return content instanceof Readable ? STREAM_BYTES : 0;
}
