// The simulator of the providers, for the sandbox: pages that a browser opens, and the API that the service itself asks.
import type { RawRoute } from '../../platform/http/raw-route.ts';

const MOUNT = '/simulator';
const MAX_BODY_BYTES = 1_048_576;

export const simulatorRoutes: readonly RawRoute[] = [
  {
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    path: `${MOUNT}/*`,
    params: {},
    maxBodyBytes: MAX_BODY_BYTES,
    isRateLimited: false, // the service asks it for everybody of the sandbox
    isForPeople: true,
    handle: ({ simulator }, request) => simulator.answer({ ...request, path: request.path.slice(MOUNT.length) }),
  },
];
