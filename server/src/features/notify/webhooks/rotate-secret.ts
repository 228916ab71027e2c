// Rotates the signing secret. A replaced secret signs for another day, so that the receiver has time to switch, even if a second
// rotation follows because the response to the first was lost.
import { DAY_MS } from '../../../domain/time/durations.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { readSealedWebhook } from './delivery-search-store.ts';
import { lockWebhookOrThrow, webhookNotFound } from './find-webhook.ts';
import { mintSigningSecret, sealPrevious, secretContext } from './signature.ts';
import { saveSecret } from './store.ts';
import type { NewSecret } from './webhook.ts';

const OVERLAP_MS = DAY_MS;

export async function rotateSecret(
  { services, caller }: { services: Pick<Services, 'clock' | 'db' | 'secrets'>; caller: AccountCaller },
  input: { readonly id: string },
): Promise<NewSecret> {
  const secret = mintSigningSecret();
  const webhook = await services.db.transaction(async (tx) => {
    const webhook = await lockWebhookOrThrow(tx, caller.tenant, input.id);
    const stored = await readSealedWebhook(tx, webhook.id);
    if (!stored) throw webhookNotFound(input.id);
    const now = services.clock.now();
    const previousUntil = new Date(now.getTime() + OVERLAP_MS);
    await saveSecret(tx, webhook.id, {
      secret: services.secrets.seal(secret, secretContext(webhook.id)),
      previous: sealPrevious(services.secrets, { ...stored, webhookId: webhook.id }, now, previousUntil),
      previousUntil,
    });
    return webhook;
  });
  return { webhook, secret };
}
