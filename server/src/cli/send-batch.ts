// Sends a batch of an import to the service, again while the service does not answer.
import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '../domain/time/durations.ts';
import { callOperator, ServiceAwayError } from './operator-client.ts';
import { CommandError, type Terminal } from './terminal.ts';

const RETRY_DELAYS_MS = [1, 2, 5, 10, 20, 30].map((seconds) => seconds * SECOND_MS);

/** The service may be restarting, or busy for longer than a call takes. A batch that was stored is not stored again. */
export async function sendBatch<Answer>(
  terminal: Terminal,
  path: string,
  body: object,
  stop: AbortSignal,
): Promise<Answer> {
  for (const delayMs of [...RETRY_DELAYS_MS, null]) {
    if (stop.aborted)
      throw new CommandError('Interrupted. Run the same command again to continue after the records stored so far.');
    try {
      return await callOperator<Answer>(terminal, 'POST', path, body);
    } catch (error) {
      if (!(error instanceof ServiceAwayError) || delayMs === null) throw error;
      await delay(delayMs, undefined, { signal: stop }).catch(() => undefined);
    }
  }
  throw new ServiceAwayError('The service does not answer. Run the same command again to continue.');
}
