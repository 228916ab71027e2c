// Routes of the hosted pages on which a user connects a provider account.
import type { RawRoute } from '../../../platform/http/raw-route.ts';
import { decide } from './consent-decision.ts';
import { answerPicker } from './picker.ts';
import { receiveCallback } from './receive-callback.ts';
import { retryConnection, showResult } from './result-page.ts';
import { showConsentPage } from './show-consent-page.ts';

const MAX_FORM_BYTES = 4_096; // the form has one field
const page = { isRateLimited: true, showsHealthData: false, servesPages: true };

export const connectionPageRoutes: readonly RawRoute[] = [
  {
    ...page,
    methods: ['GET', 'POST'],
    path: '/connect/:secret',
    params: { secret: 'secret' },
    maxBodyBytes: MAX_FORM_BYTES,
    handle: async (services, request) =>
      (await answerPicker(services, request)) ??
      (request.method === 'POST' ? decide : showConsentPage)(services, request),
  },
  {
    ...page,
    methods: ['GET', 'POST'],
    path: '/connect/result/:token',
    params: { token: 'secret' },
    maxBodyBytes: MAX_FORM_BYTES,
    handle: (services, request) => (request.method === 'POST' ? retryConnection : showResult)(services, request),
  },
  {
    ...page,
    methods: ['GET'],
    path: '/connect/callback/:provider',
    params: { provider: 'plain' },
    maxBodyBytes: 0,
    handle: async (services, request) =>
      request.method === 'GET' ? receiveCallback(services, request) : { status: 405, headers: { allow: 'GET' } },
  },
];
