// Limits failed sign-ins by email and by address. An attempt is counted before the password is checked and taken back if it
// was right, so that parallel attempts count as well. An unknown email counts like a known one. A browser in which the member has
// signed in before is counted by itself, so that nobody can keep a member out by failing with their email.
import { createHash } from 'node:crypto';
import { MINUTE_MS, SECOND_MS } from '../../../domain/time/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { addressBucket } from '../../../platform/http/rate-limit.ts';
import type { Services } from '../../../platform/services.ts';
import { countAttempt, forgetAttempts, readRetryAt, takeBackAttempt } from './attempt-store.ts';

const MAX_FAILURES_OF_EMAIL = 10;
const MAX_FAILURES_OF_ADDRESS = 50; // an office shares one
const MAX_FAILURES_OF_BROWSER = 10;
const WINDOW_MS = 15 * MINUTE_MS;
const MAX_DELAY_MS = 60 * SECOND_MS;

type Subject = { readonly hash: Buffer; readonly limit: number };
type NeededServices = Pick<Services, 'clock' | 'db'>;

type CountedAttempt = {
  /** The credentials were right: earlier failures with this email no longer count. */
  succeed(): Promise<void>;
  /** The attempt counts neither as a failure nor as a success. */
  takeBack(): Promise<void>;
};

/** Throws rate_limited while either subject has to wait. */
export async function countSignIn(
  services: NeededServices,
  attempt: {
    readonly email: string;
    readonly address: string | undefined;
    /** A session of this member in the browser, which may be over. Null: there is none. */
    readonly knownSession: string | null;
  },
): Promise<CountedAttempt> {
  if (attempt.knownSession !== null) return countInBrowser(services, attempt.knownSession);
  const email = subjectOf('email', attempt.email, MAX_FAILURES_OF_EMAIL);
  const address = subjectOf('address', addressBucket(attempt.address), MAX_FAILURES_OF_ADDRESS);
  await count(services, [email, address]);
  return {
    async succeed() {
      await forgetAttempts(services.db, email.hash);
      await takeBackAttempt(services.db, address.hash);
    },
    async takeBack() {
      await takeBackAttempt(services.db, email.hash);
      await takeBackAttempt(services.db, address.hash);
    },
  };
}

async function countInBrowser(services: NeededServices, session: string): Promise<CountedAttempt> {
  const browser = subjectOf('browser', session, MAX_FAILURES_OF_BROWSER);
  await count(services, [browser]);
  return {
    succeed: () => forgetAttempts(services.db, browser.hash),
    takeBack: () => takeBackAttempt(services.db, browser.hash),
  };
}

/** Limits requests for reset mails from one address. */
export async function countForgotten(services: NeededServices, address: string | undefined): Promise<void> {
  await count(services, [subjectOf('forgotten', addressBucket(address), MAX_FAILURES_OF_ADDRESS)]);
}

async function count({ clock, db }: NeededServices, subjects: readonly Subject[]): Promise<void> {
  const now = clock.now();
  const hashes = subjects.map(({ hash }) => hash);
  const retryAt = await readRetryAt(db, hashes, now);
  if (retryAt !== null) throw tooManyAttempts(retryAt.getTime() - now.getTime());
  const limits = { now, windowMs: WINDOW_MS, maxDelayMs: MAX_DELAY_MS };
  // A parallel attempt may have used the last one meanwhile.
  for (const { hash, limit } of subjects)
    if (!(await countAttempt(db, hash, { ...limits, limit }))) throw tooManyAttempts(SECOND_MS);
}

function tooManyAttempts(retryAfterMs: number): AppError {
  const message = 'Too many failed attempts. Retry after the time in Retry-After.';
  return new AppError('rate_limited', { message, retryAfterMs });
}

/** Hashed, because the table needs neither emails nor addresses. */
function subjectOf(kind: string, text: string, limit: number): Subject {
  return { hash: createHash('sha256').update(`${kind}:${text}`).digest(), limit };
}
