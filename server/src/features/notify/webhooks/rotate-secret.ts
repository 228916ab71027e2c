// Rotates the signing secret. Both secrets sign for a day, so that the receiver has time to switch.
import { DAY_MS } from '../../../domain/time/durations.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { lockWebhookOrThrow } from './find-webhook.ts';
import { mintSecret, secretContext } from './signature.ts';
import { saveSecret } from './store.ts';
import type { NewSecret } from './webhook.ts';

const OVERLAP_MS = DAY_MS;

export async function rotateSecret(
  { services, caller }: { services: Pick<Services, 'clock' | 'db' | 'secrets'>; caller: AccountCaller },
  input: { readonly id: string },
): Promise<NewSecret> {
  const secret = mintSecret();
  const webhook = await services.db.transaction(async (tx) => {
    const webhook = await lockWebhookOrThrow(tx, caller.tenant, input.id);
    const previousUntil = new Date(services.clock.now().getTime() + OVERLAP_MS);
    await saveSecret(tx, webhook.id, services.secrets.seal(secret, secretContext(webhook.id)), previousUntil);
    return webhook;
  });
  return { webhook, secret };
}
