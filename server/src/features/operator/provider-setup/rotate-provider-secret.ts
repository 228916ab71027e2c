// Rotates the secret webhook URL of a provider. Registers it again if the provider has an API for it; otherwise the operator
// enters it.

import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import type { WebhookRule } from '../../../providers/contract.ts';
import type { ProviderCallServices } from '../../clouds/provider-accounts/index.ts';
import type { ProviderAppServices } from '../../clouds/provider-apps/index.ts';
import { findApp, listOwners, type ProviderApp } from '../../clouds/provider-apps/index.ts';
import { endWebhookOverlap, rotateWebhookSecret } from '../../clouds/subscriptions/index.ts';
import { repairSubscriptions } from '../../clouds/sync/index.ts';
import { type Actor, getAccountOrThrow } from '../../tenancy/accounts/index.ts';
import { getProviderOrThrow, recordSetupChange } from './manage-setup.ts';

/** `per_person`: each user within twelve hours. `pending`: the provider did not accept it; the daily repair retries. */
export const REGISTRATIONS = ['done', 'per_person', 'pending', 'by_hand', 'unchanged'] as const;
export type RotatedWebhook = {
  readonly app: ProviderApp;
  readonly url: string;
  readonly previousUntil: Date | null;
  readonly registration: (typeof REGISTRATIONS)[number];
};

export async function rotateProviderSecret(
  services: ProviderCallServices & ProviderAppServices & Pick<Services, 'log'>,
  { account, provider, finish }: { account: string; provider: string; finish: boolean },
  by: Actor,
): Promise<RotatedWebhook> {
  const { accountId, app, rule } = await getWebhookOrThrow(services, account, provider);
  const action = finish ? 'provider.webhook_overlap_ended' : 'provider.webhook_secret_rotated';
  // The operator's own application is not in this list: its webhook URL concerns no customer.
  const accountIds = new Set([accountId, ...(await listOwners(services, app))]);
  const record = async (tx: Transaction) => {
    for (const id of accountIds) await recordSetupChange(services, id, { action, provider: app.provider }, by)(tx);
  };
  if (finish) return { app, ...(await endWebhookOverlap(services, app, record)), registration: 'unchanged' };
  const address = await rotateWebhookSecret(services, app, record);
  return { app, ...address, registration: await registerAgain(services, app, rule) };
}

async function registerAgain(
  services: ProviderCallServices & ProviderAppServices & Pick<Services, 'log'>,
  app: ProviderApp,
  { subscriptions }: WebhookRule,
): Promise<RotatedWebhook['registration']> {
  if (subscriptions === null) return 'by_hand';
  const isDone = await repairSubscriptions(services, app.provider.id, app.id);
  if (!isDone) return 'pending';
  return subscriptions.per === 'person' ? 'per_person' : 'done';
}

async function getWebhookOrThrow(services: ProviderAppServices, account: string, id: string) {
  const provider = getProviderOrThrow(id);
  const { id: accountId } = await getAccountOrThrow(services, account);
  const app = await findApp(services, { accountId, environment: 'live' }, provider);
  if (app === null) throw new AppError('provider_not_configured', { details: { provider: id } });
  if (provider.webhook === null)
    throw new AppError('not_found', {
      message: `${provider.displayName} sends no webhooks.`,
      details: { provider: id },
    });
  return { accountId, app, rule: provider.webhook };
}
