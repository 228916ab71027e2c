import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { environmentRoute } from '../../shared/routing/parents.ts';
import { FILTERS, type Filter } from './filter.ts';

export type UsersSearch = { readonly q?: string; readonly filter?: Filter };

export const usersRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: 'users',
  validateSearch: ({ q, filter }: Record<string, unknown>): UsersSearch => {
    const known = FILTERS.find((one) => one === filter);
    const text = typeof q === 'number' ? String(q) : q; // the router reads 42 in an address as a number
    return { ...(typeof text === 'string' && text !== '' && { q: text }), ...(known && { filter: known }) };
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'UsersPage'),
});
