import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { userRoute } from '../../shared/routing/parents.ts';
import { readTexts } from '../../shared/routing/read-texts.ts';

type ConnectionsSearch = {
  /** Opens the dialog: a provider, or `choose`. */
  readonly connect?: string;
};

export const connectionsRoute = createRoute({
  getParentRoute: () => userRoute,
  path: 'connections',
  validateSearch: (search: Record<string, unknown>): ConnectionsSearch => readTexts(search, ['connect']),
  component: lazyRouteComponent(() => import('./page.tsx'), 'ConnectionsPage'),
});
