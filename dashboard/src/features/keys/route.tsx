import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { environmentRoute } from '../../shared/routing/parents.ts';

export const keysRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: 'keys',
  component: lazyRouteComponent(() => import('./page.tsx'), 'KeysPage'),
});
