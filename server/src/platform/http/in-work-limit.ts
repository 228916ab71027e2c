// Limits the concurrent requests of one SDK session, from their first byte to the response.

import type { ServerResponse } from 'node:http';
import { SECOND_MS } from '../../domain/time/durations.ts';
import { AppError } from '../errors.ts';
import type { Caller } from './caller.ts';

type InWorkLimit = {
  /** Runs before any of the body is read. Throws rate_limited. */
  enter(caller: Caller, reply: { readonly raw: Pick<ServerResponse, 'closed' | 'once'> }): void;
};

export function createInWorkLimit(limit: number): InWorkLimit {
  const counts = new Map<string, number>();
  const leave = (session: string): void => {
    const left = (counts.get(session) ?? 1) - 1;
    if (left === 0) counts.delete(session);
    else counts.set(session, left);
  };
  return {
    enter(caller, { raw }) {
      if (caller.kind !== 'sdk_session') return;
      const session = caller.sessionId;
      const count = counts.get(session) ?? 0;
      if (count >= limit)
        throw new AppError('rate_limited', {
          message: 'Too many concurrent uploads in this session. Wait for one to finish.',
          retryAfterMs: SECOND_MS,
        });
      if (raw.closed) return; // the client disconnected while its credential was looked up
      counts.set(session, count + 1);
      raw.once('close', () => leave(session));
    },
  };
}
