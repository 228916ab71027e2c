// Who opens the address of the service and nothing more is shown the reference.
import type { RawRoute } from '../../../platform/http/raw-route.ts';

export const rootRoutes: readonly RawRoute[] = [
  {
    methods: ['GET'],
    path: '/',
    params: {},
    maxBodyBytes: 0,
    isRateLimited: true,
    servesPages: true,
    // Relative: a proxy may show the service under a path of its own.
    handle: async () => ({ status: 302, headers: { location: 'docs' } }),
  },
];
