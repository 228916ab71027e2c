import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { userRoute } from '../../shared/routing/parents.ts';
import type { ScoresSearch } from './use-selection.ts';

function validateSearch({ days }: Record<string, unknown>): ScoresSearch {
  return days === 28 || days === 90 ? { days } : {};
}

const component = lazyRouteComponent(() => import('./page.tsx'), 'ScoresPage');

/** The newest day. */
export const scoresRoute = createRoute({ getParentRoute: () => userRoute, path: 'scores', validateSearch, component });

export const scoreRoute = createRoute({
  getParentRoute: () => userRoute,
  path: 'scores/$date/$score',
  validateSearch,
  component,
});
