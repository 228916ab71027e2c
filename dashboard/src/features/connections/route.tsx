import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { userRoute } from '../../shared/routing/parents.ts';

type ConnectionsSearch = {
  /** Opens the dialog: a provider, or `choose`. */
  readonly connect?: string;
};

export const connectionsRoute = createRoute({
  getParentRoute: () => userRoute,
  path: 'connections',
  validateSearch: (search: Record<string, unknown>): ConnectionsSearch =>
    typeof search.connect === 'string' ? { connect: search.connect } : {},
  component: lazyRouteComponent(() => import('./page.tsx'), 'ConnectionsPage'),
});
