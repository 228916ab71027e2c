import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { environmentRoute } from '../../shared/routing/parents.ts';

/** `user`: of the scenario. `open`: the dialog that is open. */
type ScenarioSearch = { user?: string; open?: 'person' | 'fault' };

export const scenariosRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: 'scenarios',
  validateSearch: (search): ScenarioSearch => ({
    ...(typeof search.user === 'string' && { user: search.user }),
    ...((search.open === 'person' || search.open === 'fault') && { open: search.open }),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'ScenariosPage'),
});
