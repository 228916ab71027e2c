// Redirects the root path to the API reference.
import type { RawRoute } from '../../../platform/http/raw-route.ts';

export const rootRoutes: readonly RawRoute[] = [
  {
    methods: ['GET'],
    path: '/',
    params: {},
    maxBodyBytes: 0,
    isRateLimited: true,
    servesPages: true,
    // Relative, because a proxy may serve the API below a path.
    handle: async () => ({ status: 302, headers: { location: 'docs' } }),
  },
];
