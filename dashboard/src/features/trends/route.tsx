import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { userRoute } from '../../shared/routing/parents.ts';
import { readSearch } from './search.ts';

export const trendsRoute = createRoute({
  getParentRoute: () => userRoute,
  path: 'trends',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'TrendsPage'),
});
