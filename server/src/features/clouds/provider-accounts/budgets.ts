// Rate limit budgets per application and per user, counted in the database by all processes and corrected by the provider's
// headers. A request without budget is not sent; its caller gets the time to wait until.
import { MINUTE_MS, SECOND_MS } from '../../../domain/time/durations.ts';
import type { DerivedSecrets } from '../../../platform/crypto/derived-secret.ts';
import { MAX_RETRY_AFTER_MS, parseRetryAfter } from '../../../platform/outbound/index.ts';
import type { Services } from '../../../platform/services.ts';
import type { ProviderAnswer, RateBudget } from '../../../providers/contract.ts';
import type { ProviderApp } from '../provider-apps/index.ts';
import { type BudgetRow, correct, returnTo, takeFrom } from './budget-store.ts';

/** For a 429 without Retry-After we wait for the window of the budget, up to this limit. */
const MAX_DEFAULT_WAIT_MS = 15 * MINUTE_MS;
const DEFAULT_WAIT_MS = MINUTE_MS;
const MIN_WAIT_MS = SECOND_MS; // even if the provider says 0: it has just refused

type BudgetServices = Pick<Services, 'db' | 'clock' | 'derivedSecrets'>;

/**
 * `person`: the provider's user id; null for requests of the application. `share`: the part of the budget that this request may
 * use, so that urgent requests find some left. Returns null if the request may be sent.
 */
export async function takeBudget(
  { db, clock, derivedSecrets }: BudgetServices,
  app: ProviderApp,
  person: string | null,
  share = 1,
): Promise<Date | null> {
  const rows = listBudgets(derivedSecrets, app, person).map(({ row }) => row);
  if (rows.length === 0) return null;
  const now = clock.now();
  const taken = await takeFrom(db, ownerOf(app), rows, now);
  const spent = taken.filter(({ person, seconds, used }) => {
    const row = rows.find((candidate) => candidate.person === person && candidate.seconds === seconds);
    return row !== undefined && used > Math.max(1, Math.floor(row.requests * share));
  });
  if (spent.length === 0) return null;
  await returnTo(db, ownerOf(app), rows, now);
  return new Date(Math.max(...spent.map(({ endsAt }) => endsAt.getTime())));
}

/** Updates the budgets from a response. Returns the time to wait until if the provider is rate limiting. */
export async function applyRateLimits(
  { db, clock, derivedSecrets }: BudgetServices,
  app: ProviderApp,
  person: string | null,
  answer: ProviderAnswer,
  isRateLimited: boolean,
): Promise<Date | null> {
  const now = clock.now();
  const after = (ms: number) => new Date(now.getTime() + Math.min(ms, MAX_RETRY_AFTER_MS));
  let waitUntil: Date | null = null;
  const budgets = listBudgets(derivedSecrets, app, person);
  for (const { budget, row } of budgets) {
    const remaining = budget.readLeft(answer);
    if (remaining === null) continue;
    const endsAt = after(remaining.resetSeconds * SECOND_MS);
    await correct(db, ownerOf(app), row, { used: row.requests - remaining.left, endsAt });
    if (remaining.left === 0 && (waitUntil === null || endsAt > waitUntil)) waitUntil = endsAt;
  }
  if (!isRateLimited || waitUntil !== null) return isRateLimited ? waitUntil : null;
  const [first] = budgets.toSorted((one, other) => one.row.seconds - other.row.seconds);
  const windowMs = first === undefined ? DEFAULT_WAIT_MS : Math.min(first.row.seconds * SECOND_MS, MAX_DEFAULT_WAIT_MS);
  const endsAt = after(Math.max(MIN_WAIT_MS, parseRetryAfter(answer.headers['retry-after'], now) ?? windowMs));
  if (first !== undefined) await correct(db, ownerOf(app), first.row, { used: first.row.requests, endsAt });
  return endsAt;
}

function listBudgets(
  secrets: DerivedSecrets,
  { provider }: ProviderApp,
  person: string | null,
): { readonly budget: RateBudget; readonly row: BudgetRow }[] {
  return provider.budgets
    .filter(({ per }) => per === 'application' || person !== null)
    .map((budget) => ({
      budget,
      row: {
        person: budget.per === 'person' && person !== null ? hashProviderUser(secrets, provider.id, person) : '',
        seconds: budget.seconds,
        requests: budget.requests,
      },
    }));
}

/** Counters outlive the account that they count for, so they do not name it. */
function hashProviderUser(secrets: DerivedSecrets, provider: string, person: string): string {
  return secrets.of(`provider budget ${provider} ${person}`);
}

function ownerOf({ provider, id }: ProviderApp) {
  return { provider: provider.id, appId: id };
}
