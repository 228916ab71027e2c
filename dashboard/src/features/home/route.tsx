import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { environmentRoute } from '../../shared/routing/parents.ts';
import { RANGES, type Range } from './range.ts';

type HomeSearch = { readonly range?: Range };

export const homeRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: 'home',
  validateSearch: ({ range }: Record<string, unknown>): HomeSearch => {
    const known = RANGES.find((one) => one === range);
    return known === undefined ? {} : { range: known };
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'HomePage'),
});
