// All SQL of provider_budgets: one row per budget and window, shared by all processes.
import { type Queryable, statement } from '../../../platform/db/database.ts';

export type BudgetRow = {
  /** A hash of the user at the provider; '' for the whole application. */
  readonly person: string;
  readonly seconds: number;
  readonly requests: number;
};
type BudgetOwner = { readonly provider: string; readonly appId: string };

/** All statements lock rows in the same order, so that they cannot deadlock. */
const TAKE = statement(
  'take_provider_budget',
  `insert into provider_budgets as b (provider, app_id, person, seconds, used, ends_at)
   select $1, $2, w.person, w.seconds, 1, $3::timestamptz + w.seconds * interval '1 second'
     from unnest($4::text[], $5::int[]) as w(person, seconds) order by w.person, w.seconds
   on conflict (provider, app_id, person, seconds) do update set
     used = case when b.ends_at <= $3 then 1 else b.used + 1 end,
     ends_at = case when b.ends_at <= $3 then excluded.ends_at else b.ends_at end
   returning person, seconds, used, ends_at as "endsAt"`,
);
const RETURN = statement(
  'return_provider_budget',
  `update provider_budgets b set used = b.used - 1 from unnest($3::text[], $4::int[]) as w(person, seconds)
    where b.provider = $1 and b.app_id = $2 and b.person = w.person and b.seconds = w.seconds and b.ends_at > $5`,
);
const CORRECT = statement(
  'correct_provider_budget',
  `insert into provider_budgets (provider, app_id, person, seconds, used, ends_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (provider, app_id, person, seconds) do update set used = $5, ends_at = $6`,
);

type Taken = {
  readonly person: string;
  readonly seconds: number;
  readonly used: number;
  readonly endsAt: Date;
};

/** Takes one request from each row; `used` may exceed the limit, and the caller then returns it. */
export function takeFrom(
  db: Queryable,
  { provider, appId }: BudgetOwner,
  rows: readonly BudgetRow[],
  now: Date,
): Promise<Taken[]> {
  const users = rows.map(({ person }) => person);
  return db.query<Taken>(TAKE, [provider, appId, now, users, rows.map(({ seconds }) => seconds)]);
}

export async function returnTo(
  db: Queryable,
  { provider, appId }: BudgetOwner,
  rows: readonly BudgetRow[],
  now: Date,
): Promise<void> {
  const users = rows.map(({ person }) => person);
  await db.query(RETURN, [provider, appId, users, rows.map(({ seconds }) => seconds), now]);
}

export async function removeEndedBudgets(db: Queryable, now: Date): Promise<void> {
  await db.query('delete from provider_budgets where ends_at < $1', [now]);
}

/** Sets the counter to the provider's own count. */
export async function correct(
  db: Queryable,
  { provider, appId }: BudgetOwner,
  { person, seconds }: BudgetRow,
  { used, endsAt }: { readonly used: number; readonly endsAt: Date },
): Promise<void> {
  await db.query(CORRECT, [provider, appId, person, seconds, used, endsAt]);
}
