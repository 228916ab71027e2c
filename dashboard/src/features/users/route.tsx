import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { environmentRoute } from '../../shared/routing/parents.ts';
import { readSearch } from './search.ts';

export const usersRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: 'users',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'UsersPage'),
});
