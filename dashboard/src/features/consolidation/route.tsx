import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { userRoute } from '../../shared/routing/parents.ts';

type ConsolidationSearch = {
  /** The consolidation key that is open. */
  readonly key?: string;
  /** A method that is chosen, not applied. */
  readonly method?: string;
  /** Providers that are disabled for the key, separated by commas, not applied; empty: none. */
  readonly off?: string;
  /** The metric that the preview shows. */
  readonly metric?: string;
};

export const consolidationRoute = createRoute({
  getParentRoute: () => userRoute,
  path: 'consolidation',
  validateSearch: (search: Record<string, unknown>): ConsolidationSearch => ({
    ...(typeof search.key === 'string' && { key: search.key }),
    ...(typeof search.method === 'string' && { method: search.method }),
    ...(typeof search.off === 'string' && { off: search.off }),
    ...(typeof search.metric === 'string' && { metric: search.metric }),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'ConsolidationPage'),
});
