// Waits until nobody begins an attempt any more, after a webhook was deleted or paused, or a person has left. Attempts under way are given a
// moment to end; what was claimed and not begun within BEGIN_WITHIN_MS never is.
import { setTimeout as delay } from 'node:timers/promises';
import type { Services } from '../../../platform/services.ts';
import { BEGIN_WITHIN_MS } from './claim-times.ts';
import { isBusy } from './delivery-store.ts';

const LIMIT_MS = BEGIN_WITHIN_MS + 250; // the claim may have been committed a moment after its time began
const POLL_MS = 20;
const CLOCK_DIFFERENCE_MS = 2_000; // between this process and the one that claimed

/** After deliveries that were claimed have been removed: from then on none of them is begun. */
export async function awaitClaimsEnd(): Promise<void> {
  await delay(LIMIT_MS);
}

/** Begins after the change is committed. */
export async function awaitInFlightAttempts({ db, clock }: Services, webhookId: string): Promise<void> {
  const endMs = performance.now() + LIMIT_MS;
  const from = new Date(clock.now().getTime() - CLOCK_DIFFERENCE_MS);
  while (performance.now() < endMs && (await isBusy(db, webhookId, from))) await delay(POLL_MS);
}
