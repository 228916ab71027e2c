// Where providers tell us that something is new.
import type { RawRoute } from '../../../platform/http/raw-route.ts';
import { authorizeWebhook, receiveWebhook } from './receive-webhook.ts';

/** A push of Garmin's holds the summaries of many people. */
const MAX_BODY_BYTES = 32 * 1_048_576;

export const webhookRawRoutes: readonly RawRoute[] = [
  {
    methods: ['GET', 'POST', 'PUT'],
    path: '/provider-webhooks/:provider/:app/:secret',
    params: { provider: 'plain', app: 'plain', secret: 'secret' },
    maxBodyBytes: MAX_BODY_BYTES,
    isRateLimited: false, // a provider sends for all people from a few addresses
    admit: authorizeWebhook,
    handle: receiveWebhook,
  },
];
