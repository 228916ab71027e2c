// Registers a webhook in the environment of the key.
import { AppError } from '../../../platform/errors.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import { newId } from '../../../platform/ids.ts';
import type { Services } from '../../../platform/services.ts';
import { holdApiKey } from '../../tenancy/accounts/index.ts';
import { mintSigningSecret, secretContext } from './signature.ts';
import { insertWebhook } from './store.ts';
import type { NewSecret, Subscribed, Webhook } from './webhook.ts';
import { dropRepeatedEvents, readUrlOrThrow } from './webhook-fields.ts';

const MAX_WEBHOOKS = 100; // per environment: each event is delivered to all of them

export type CreateWebhookInput = {
  readonly url: string;
  readonly events: readonly Subscribed[];
  readonly description: string | null;
};

export async function createWebhook(
  { services, caller }: { services: Pick<Services, 'clock' | 'db' | 'outbound' | 'secrets'>; caller: AccountCaller },
  input: CreateWebhookInput,
): Promise<NewSecret> {
  const secret = mintSigningSecret();
  const webhook: Webhook = {
    id: newId<string>(),
    url: readUrlOrThrow(services, input.url),
    events: dropRepeatedEvents(input.events),
    description: input.description,
    status: 'active',
    disabledReason: null,
    createdAt: services.clock.now(),
    lastDeliveryAt: null,
  };
  const sealed = services.secrets.seal(secret, secretContext(webhook.id));
  const limit = MAX_WEBHOOKS;
  const hasRoom = await services.db.transaction(async (tx) => {
    await holdApiKey(tx, caller.keyId, webhook.createdAt);
    return insertWebhook(tx, caller.tenant, webhook, { secret: sealed, limit, keyId: caller.keyId });
  });
  if (!hasRoom) throw new AppError('too_many_webhooks', { details: { limit } });
  return { webhook, secret };
}
