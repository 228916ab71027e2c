import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { userRoute } from '../../shared/routing/parents.ts';
import { readTexts } from '../../shared/routing/read-texts.ts';
import { isDate } from '../../shared/time/dates.ts';

type DaySearch = {
  /** The value that is explained. */
  readonly metric?: string;
  /** Further charts of the river, separated by commas. */
  readonly charts?: string;
};

export const dayRoute = createRoute({
  getParentRoute: () => userRoute,
  path: 'day/$date',
  params: {
    parse: ({ date }) => {
      if (!isDate(date)) throw notFound();
      return { date };
    },
    stringify: ({ date }) => ({ date }),
  },
  validateSearch: (search: Record<string, unknown>): DaySearch => readTexts(search, ['metric', 'charts']),
  component: lazyRouteComponent(() => import('./page.tsx'), 'DayPage'),
});
