// Waits until no new attempt can start, after a webhook was deleted, paused or changed or a user was removed. Attempts in flight get
// a moment to end; a claimed delivery that did not start within BEGIN_WITHIN_MS never starts.
import { setTimeout as delay } from 'node:timers/promises';
import type { Services } from '../../../platform/services.ts';
import { BEGIN_WITHIN_MS } from './claim-times.ts';
import { isBusy } from './delivery-store.ts';

const LIMIT_MS = BEGIN_WITHIN_MS + 250; // the claim may be committed a moment after its start time
const POLL_MS = 20;
const CLOCK_DIFFERENCE_MS = 2_000; // between this process and the one that claimed

/** Waits after claimed deliveries were removed, until none of them can start. */
export async function awaitClaimsEnd(): Promise<void> {
  await delay(LIMIT_MS);
}

/** Call it after the change is committed. */
export async function awaitInFlightAttempts(
  { db, clock }: Pick<Services, 'clock' | 'db'>,
  webhookId: string,
): Promise<void> {
  const endMs = performance.now() + LIMIT_MS;
  const from = new Date(clock.now().getTime() - CLOCK_DIFFERENCE_MS);
  while (performance.now() < endMs && (await isBusy(db, webhookId, from))) await delay(POLL_MS);
}
