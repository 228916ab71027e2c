import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { userRoute } from '../../shared/routing/parents.ts';
import { readTexts } from '../../shared/routing/read-texts.ts';

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
    ...readTexts(search, ['key', 'method', 'metric']),
    ...(typeof search.off === 'string' && { off: search.off }),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'ConsolidationPage'),
});
