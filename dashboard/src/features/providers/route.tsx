import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { environmentRoute } from '../../shared/routing/parents.ts';

export const providersRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: 'providers',
  component: lazyRouteComponent(() => import('./page.tsx'), 'ProvidersPage'),
});
