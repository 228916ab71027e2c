// Defines a job: name, payload schema, number of attempts and handler. Every job must be safe to run twice.
import type { Static, TObject } from 'typebox';
import type { Services } from '../services.ts';
import type { JobRef } from './job-queue.ts';

export type Job<Payload = never> = JobRef<Payload> & {
  /** Crontab pattern in UTC; a scheduled job has no payload. */
  readonly cron?: string;
  /** The payload has secrets, so the job is deleted after its last attempt instead of kept for the operator. */
  readonly isRemovedWhenGivenUp?: boolean;
  run(services: Services, payload: Payload): Promise<void>;
  /** Payload schema of jobs that an earlier version queued. */
  readonly former?: FormerJob<never>;
};

type FormerJob<Payload> = {
  readonly payload: TObject;
  run(services: Services, payload: Payload): Promise<void>;
};

/** About four days with graphile-worker's exponential backoff (e^attempt seconds, capped). */
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
