import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { environmentRoute } from '../../shared/routing/parents.ts';
import { readTexts } from '../../shared/routing/read-texts.ts';

/** `user`: of the scenario. `open`: the dialog that is open. */
type ScenarioSearch = { user?: string; open?: 'person' | 'fault' };

export const scenariosRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: 'scenarios',
  validateSearch: (search): ScenarioSearch => ({
    ...readTexts(search, ['user']),
    ...((search.open === 'person' || search.open === 'fault') && { open: search.open }),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'ScenariosPage'),
});
