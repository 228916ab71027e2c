// Finds a feed by account and environment, or by a user.
import type { Environment, Tenant } from '../../../domain/tenancy.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import { readEnd } from '../../notify/events/index.ts';
import { getAccountOrThrow, readAccount } from '../../tenancy/accounts/index.ts';
import { getUserForOperatorOrThrow } from '../../tenancy/user-core/index.ts';

type FeedRequest = {
  readonly account: string | null;
  readonly environment: Environment | null;
  readonly userId: string | null;
};
export type FoundFeed = { readonly account: string; readonly environment: Environment; readonly end: string };

export async function findFeed(services: Pick<Services, 'cursors' | 'db'>, request: FeedRequest): Promise<FoundFeed> {
  const tenant = request.userId === null ? await findTenant(services, request) : await findTenantOf(services, request);
  return {
    account: await nameAccount(services, tenant),
    environment: tenant.environment,
    end: await readEnd(services, tenant),
  };
}

/** Accounts are never removed. */
export async function nameAccount({ db }: Pick<Services, 'db'>, { accountId }: Tenant): Promise<string> {
  return (await readAccount(db, accountId))?.name ?? accountId;
}

async function findTenant(services: Pick<Services, 'db'>, { account, environment }: FeedRequest): Promise<Tenant> {
  if (account === null || environment === null) {
    const issues = [{ path: '', message: 'must have account and environment, or user_id' }];
    throw new AppError('invalid_parameter', { details: { issues } });
  }
  return { accountId: (await getAccountOrThrow(services, account)).id, environment };
}

async function findTenantOf(
  services: Pick<Services, 'db'>,
  { account, environment, userId }: FeedRequest,
): Promise<Tenant> {
  const id = userId ?? '';
  const { tenant } = await getUserForOperatorOrThrow(services.db, id);
  const isElsewhere =
    (account !== null && (await getAccountOrThrow(services, account)).id !== tenant.accountId) ||
    (environment !== null && environment !== tenant.environment);
  if (!isElsewhere) return tenant;
  const message = `User ${id} is in ${await nameAccount(services, tenant)}, ${tenant.environment}.`;
  throw new AppError('not_found', { message, details: { user_id: id } });
}
