// A job: a name, the shape of its payload, how often it is tried, and what it does. Safe to run twice, always.
import type { Static, TObject } from 'typebox';
import type { Services } from '../services.ts';
import type { JobRef } from './job-queue.ts';

export type Job<Payload = never> = JobRef<Payload> & {
  /** Crontab pattern in UTC; such a job takes no payload. */
  readonly cron?: string;
  /** Its payload holds what must not stay: after the last attempt it is removed instead of kept for the operator. */
  readonly isRemovedWhenGivenUp?: boolean;
  run(services: Services, payload: Payload): Promise<void>;
  /** For jobs that an earlier version queued. */
  readonly former?: FormerJob<never>;
};

type FormerJob<Payload> = {
  readonly payload: TObject;
  run(services: Services, payload: Payload): Promise<void>;
};

/** About three days with graphile-worker's exponential back-off (e^attempt seconds, capped). */
const DEFAULT_MAX_ATTEMPTS = 25;

export function defineJob<Schema extends TObject, Former extends TObject = never>(definition: {
  name: string;
  payload: Schema;
  maxAttempts?: number;
  cron?: string;
  isRemovedWhenGivenUp?: boolean;
  run: (services: Services, payload: Static<Schema>) => Promise<void>;
  former?: { payload: Former; run: (services: Services, payload: Static<Former>) => Promise<void> };
}): Job<Static<Schema>> {
  return { maxAttempts: DEFAULT_MAX_ATTEMPTS, ...definition };
}
