import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { userRoute } from '../../shared/routing/parents.ts';

export const importRoute = createRoute({
  getParentRoute: () => userRoute,
  path: 'upload',
  component: lazyRouteComponent(() => import('./page.tsx'), 'ImportPage'),
});
