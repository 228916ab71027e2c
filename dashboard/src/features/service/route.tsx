import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { environmentRoute } from '../../shared/routing/parents.ts';

export const serviceRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: 'service',
  component: lazyRouteComponent(() => import('./page.tsx'), 'ServicePage'),
});
