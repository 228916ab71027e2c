// The URL that providers send webhooks to.
import type { RawRoute } from '../../../platform/http/raw-route.ts';
import { authorizeWebhook, receiveWebhook } from './receive-webhook.ts';

/** A Garmin push holds the summaries of many users. */
const MAX_BODY_BYTES = 32 * 1_048_576;

export const providerWebhookRoutes: readonly RawRoute[] = [
  {
    methods: ['GET', 'POST', 'PUT'],
    path: '/provider-webhooks/:provider/:app/:secret',
    params: { provider: 'plain', app: 'plain', secret: 'secret' },
    maxBodyBytes: MAX_BODY_BYTES,
    isRateLimited: false, // a provider sends for all users from a few IP addresses
    showsHealthData: false,
    admit: authorizeWebhook,
    handle: receiveWebhook,
  },
];
