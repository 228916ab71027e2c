// The pages on which a person connects an account.
import type { RawRoute } from '../../../platform/http/raw-route.ts';
import { askPerson } from './ask-person.ts';
import { decide } from './decide.ts';
import { receiveCallback } from './receive-callback.ts';

const MAX_FORM_BYTES = 4_096; // one field
const page = { isRateLimited: true, isForPeople: true };

export const connectionPageRoutes: readonly RawRoute[] = [
  {
    ...page,
    methods: ['GET', 'POST'],
    path: '/connect/:secret',
    params: { secret: 'secret' },
    maxBodyBytes: MAX_FORM_BYTES,
    handle: (services, request) => (request.method === 'POST' ? decide : askPerson)(services, request),
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
