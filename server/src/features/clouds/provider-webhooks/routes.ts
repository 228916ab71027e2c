// Where providers tell us that something is new.
import type { RawRoute } from '../../../platform/http/raw-route.ts';
import { admitNotice, receiveNotice } from './receive-notice.ts';

/** A push of Garmin's holds the summaries of many people. */
const MAX_BODY_BYTES = 32 * 1_048_576;

export const noticeRawRoutes: readonly RawRoute[] = [
  {
    methods: ['GET', 'POST', 'PUT'],
    path: '/provider-webhooks/:provider/:app/:secret',
    params: { provider: 'plain', app: 'plain', secret: 'secret' },
    maxBodyBytes: MAX_BODY_BYTES,
    isRateLimited: false, // a provider sends for all people from a few addresses
    admit: admitNotice,
    handle: receiveNotice,
  },
];
