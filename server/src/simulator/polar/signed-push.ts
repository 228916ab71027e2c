// A signed message to the application's webhook.
import { createHmac } from 'node:crypto';
import type { Push } from '../push-queue.ts';

type SignedEvent = {
  readonly url: string;
  readonly secret: string;
  readonly account: string | null;
  readonly event: { readonly event: string } & Readonly<Record<string, unknown>>;
};

export function signedPush({ url, secret, account, event }: SignedEvent): Push {
  const body = JSON.stringify(event);
  return {
    provider: 'polar',
    account,
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      'polar-webhook-event': event.event,
      'polar-webhook-signature': createHmac('sha256', secret).update(body).digest('hex'),
    },
    body,
  };
}
