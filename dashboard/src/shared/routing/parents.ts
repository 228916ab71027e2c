// The routes that every page hangs below. A feature's route.tsx names one of them as its parent; app/router.tsx gives them
// their components.
import { createRootRoute, createRoute, notFound } from '@tanstack/react-router';

export type Environment = 'live' | 'sandbox';

export const rootRoute = createRootRoute();

/** Pages without a session: sign-in, welcome, join, forgot, reset. */
export const outsideRoute = createRoute({ getParentRoute: () => rootRoute, id: 'outside' });

/** Pages of an environment: /dashboard/live/…, /dashboard/sandbox/…. */
export const environmentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$environment',
  params: {
    parse: ({ environment }) => {
      if (environment !== 'live' && environment !== 'sandbox') throw notFound();
      return { environment: environment as Environment };
    },
    stringify: ({ environment }) => ({ environment }),
  },
});

/** Pages of a user, below a head with tabs: /dashboard/sandbox/users/{id}/…. */
export const userRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: 'users/$userId',
});
