// How many people of an account are connected to each provider, and how much of an application's budget is used.
import type { Tenant } from '../../../domain/tenancy.ts';
import { type Queryable, statement } from '../../../platform/db/database.ts';

export type ConnectedPeople = { readonly provider: string; readonly active: number; readonly reauthorize: number };

const COUNT_PEOPLE = statement(
  'count_connected_people',
  `select provider, count(*) filter (where refused_at is null)::int as active,
          count(*) filter (where refused_at is not null)::int as reauthorize
     from provider_accounts where account_id = $1 and environment = $2 group by provider`,
);

export function countConnectedPeople(db: Queryable, { accountId, environment }: Tenant): Promise<ConnectedPeople[]> {
  return db.query<ConnectedPeople>(COUNT_PEOPLE, [accountId, environment]);
}

export type BudgetUse = {
  readonly provider: string;
  readonly appId: string;
  readonly seconds: number;
  readonly used: number;
  readonly endsAt: Date;
};

/** The budgets of whole applications, in the current period. */
export function listBudgetUse(db: Queryable, appIds: readonly string[], now: Date): Promise<BudgetUse[]> {
  return db.query<BudgetUse>(
    `select provider, app_id as "appId", seconds, used, ends_at as "endsAt" from provider_budgets
      where app_id = any($1::text[]) and person = '' and ends_at > $2`,
    [appIds, now],
  );
}
