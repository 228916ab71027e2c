import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { environmentRoute } from '../../shared/routing/parents.ts';
import { readSearch } from './search.ts';

export const eventsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: 'events',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'EventsPage'),
});
