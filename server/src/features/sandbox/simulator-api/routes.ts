// The provider simulator of the sandbox: pages for the browser, and the provider APIs that the service calls.
import type { RawRoute } from '../../../platform/http/raw-route.ts';

const MOUNT = '/simulator';
/** The largest body is a form with a refresh token, about 2 kB. */
const MAX_BODY_BYTES = 8_192;

export const simulatorRoutes: readonly RawRoute[] = [
  {
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    path: `${MOUNT}/*`,
    params: {},
    maxBodyBytes: MAX_BODY_BYTES,
    isRateLimited: 'unless_own', // the service calls it for all sandbox users
    showsHealthData: false,
    servesPages: true,
    handle: ({ simulator }, request) => simulator.answer({ ...request, path: request.path.slice(MOUNT.length) }),
  },
];
