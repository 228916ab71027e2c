// Checks the fields of a webhook beyond their schema.
import { AppError } from '../../../platform/errors.ts';
import { isLocalTarget } from '../../../platform/outbound/index.ts';
import type { Services } from '../../../platform/services.ts';
import type { Subscribed } from './webhook.ts';

const LOCAL_ADVICE =
  'To receive events on the machine of the service, run `tributary listen --forward-to URL` there, or the operator sets TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS=1; for a private network, the operator names it in TRIBUTARY_WEBHOOK_NETWORKS.';

/** Stored unchanged, because every request checks it again. */
export function readUrlOrThrow({ outbound }: Pick<Services, 'outbound'>, text: string): string {
  const check = outbound.checkUrl(text);
  if (check.ok) return text;
  const message = isLocalTarget(text) ? `${check.reason} ${LOCAL_ADVICE}` : check.reason;
  throw new AppError('invalid_body', { details: { issues: [{ path: 'url', message }] } });
}

export function dropRepeatedEvents(events: readonly Subscribed[]): Subscribed[] {
  return [...new Set(events)];
}
