// Stores the applications that a customer registered at providers: sealed, and used only for the customer's live users.
import type { AccountId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/services.ts';
import type { ClientCredentials, CloudProvider } from '../../../providers/contract.ts';
import { contextOf, contextOfExtras } from './find-app.ts';
import { liveApp, type ProviderApp } from './provider-app.ts';
import { removeClient, saveClient } from './store.ts';

/** Writes the audit entry of a change, in its transaction. */
export type RecordChange = (tx: Transaction) => Promise<void>;

export async function keepClient(
  { db, secrets, clock }: Pick<Services, 'clock' | 'db' | 'secrets'>,
  accountId: AccountId,
  provider: CloudProvider,
  client: ClientCredentials,
  record: RecordChange,
): Promise<ProviderApp> {
  const app = liveApp(provider, client);
  const sealedSecret = secrets.seal(client.clientSecret, contextOf(accountId, provider.id));
  const sealedExtras =
    client.extras === undefined
      ? null
      : secrets.seal(JSON.stringify(client.extras), contextOfExtras(accountId, provider.id));
  const sealed = { accountId, provider: provider.id, clientId: client.clientId, sealedSecret, sealedExtras };
  await db.transaction(async (tx) => {
    await saveClient(tx, sealed, app.id, clock.now());
    await record(tx);
  });
  return app;
}

/** False: there was none. */
export function dropClient(
  { db }: Pick<Services, 'db'>,
  accountId: AccountId,
  provider: CloudProvider,
  record: RecordChange,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const isRemoved = await removeClient(tx, accountId, provider.id);
    if (isRemoved) await record(tx);
    return isRemoved;
  });
}
