// The simulator of the providers, for the sandbox: pages that a browser opens, and the API that the service itself asks.
import type { RawRoute } from '../../../platform/http/raw-route.ts';

const MOUNT = '/simulator';
/** The longest is a form with a refresh token, some 2 kB. */
const MAX_BODY_BYTES = 8_192;

export const simulatorRoutes: readonly RawRoute[] = [
  {
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    path: `${MOUNT}/*`,
    params: {},
    maxBodyBytes: MAX_BODY_BYTES,
    isRateLimited: 'unless_own', // the service asks it for everybody of the sandbox
    servesPages: true,
    handle: ({ simulator }, request) => simulator.answer({ ...request, path: request.path.slice(MOUNT.length) }),
  },
];
