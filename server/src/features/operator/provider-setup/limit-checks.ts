// Limits how often members check a provider: each check sends requests there in the name of the application, which the operator and
// other accounts may use too, and the provider would reject all of them if it gets too many.
import { createBoundedMap } from '../../../domain/bounded-map.ts';
import { SECOND_MS } from '../../../domain/time/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';

const EVERY_MS = 5 * SECOND_MS;
const MAX_REMEMBERED = 10_000;
const lastChecks = new WeakMap<Services['metrics'], Map<string, number>>();

/** Throws rate_limited. */
export function limitChecks({ clock, metrics }: Pick<Services, 'clock' | 'metrics'>, key: string): void {
  const checks = lastChecks.getOrInsertComputed(metrics, () => createBoundedMap(MAX_REMEMBERED));
  const nowMs = clock.now().getTime();
  const waitMs = (checks.get(key) ?? Number.NEGATIVE_INFINITY) + EVERY_MS - nowMs;
  if (waitMs > 0)
    throw new AppError('rate_limited', { headers: { 'retry-after': String(Math.ceil(waitMs / SECOND_MS)) } });
  checks.set(key, nowMs);
}
