// All SQL of provider_clients.
import type { AccountId } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';

export type SealedClient = {
  readonly accountId: AccountId;
  readonly provider: string;
  readonly clientId: string;
  readonly sealedSecret: Buffer;
  readonly sealedExtras: Buffer | null;
};

const COLUMNS =
  'account_id as "accountId", provider, client_id as "clientId", sealed_secret as "sealedSecret", sealed_extras as "sealedExtras"';
const READ_CLIENTS = statement(
  'read_provider_clients',
  `select ${COLUMNS} from provider_clients where account_id = $1`,
);
const LIST_BY_APP = statement(
  'list_provider_clients_by_app',
  `select ${COLUMNS} from provider_clients where provider = $1 and app_id = $2 order by created_at desc, account_id`,
);

export async function readClients(db: Queryable, accountId: AccountId): Promise<SealedClient[]> {
  return db.query<SealedClient>(READ_CLIENTS, [accountId]);
}

/** Clients of all customers who registered the same application, newest first. */
export function listClientsByApp(db: Queryable, provider: string, appId: string): Promise<SealedClient[]> {
  return db.query<SealedClient>(LIST_BY_APP, [provider, appId]);
}

export async function saveClient(
  tx: Transaction,
  { accountId, provider, clientId, sealedSecret, sealedExtras }: SealedClient,
  appId: string,
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into provider_clients (account_id, provider, app_id, client_id, sealed_secret, created_at, sealed_extras)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (account_id, provider)
     do update set app_id = $3, client_id = $4, sealed_secret = $5, created_at = $6, sealed_extras = $7`,
    [accountId, provider, appId, clientId, sealedSecret, now, sealedExtras],
  );
}

export async function removeClient(tx: Transaction, accountId: AccountId, provider: string): Promise<boolean> {
  const rows = await tx.query('delete from provider_clients where account_id = $1 and provider = $2 returning 1', [
    accountId,
    provider,
  ]);
  return rows.length > 0;
}

/** How many accounts have an application of their own, by provider. */
export async function countClients(db: Queryable): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ provider: string; count: number }>(
    'select provider, count(*)::int as count from provider_clients group by 1',
  );
  return new Map(rows.map(({ provider, count }) => [provider, count]));
}

/** The ids of the applications that the account registered itself. */
export async function listAppIds(db: Queryable, accountId: AccountId): Promise<string[]> {
  const rows = await db.query<{ app_id: string }>('select app_id from provider_clients where account_id = $1', [
    accountId,
  ]);
  return rows.map((row) => row.app_id);
}

/** For the deletion of an account. */
export async function removeClientsOf(tx: Transaction, accountId: AccountId): Promise<void> {
  await tx.query('delete from provider_clients where account_id = $1', [accountId]);
}
