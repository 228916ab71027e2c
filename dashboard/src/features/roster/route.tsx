import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { environmentRoute } from '../../shared/routing/parents.ts';
import { isView, type View } from './view.ts';

type RosterSearch = { view?: View; invite?: true };

export const rosterRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: 'roster',
  validateSearch: (search): RosterSearch => ({
    ...(isView(search.view) && { view: search.view }),
    ...(search.invite === true && { invite: true }),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'RosterPage'),
});
