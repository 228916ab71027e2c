import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { environmentRoute } from '../../shared/routing/parents.ts';
import { readFilter } from './request-filter.ts';

export const requestsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: 'requests',
  validateSearch: readFilter,
  component: lazyRouteComponent(() => import('./page.tsx'), 'RequestsPage'),
});

export const requestRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: 'requests/$requestId',
  component: lazyRouteComponent(() => import('./request-page.tsx'), 'RequestPage'),
});
