import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { userRoute } from '../../shared/routing/parents.ts';
import { readTexts } from '../../shared/routing/read-texts.ts';
import { LOG_KINDS, type LogKind } from './log-kind.ts';

type LogSearch = {
  readonly kind?: LogKind;
  /** The entry that is open. */
  readonly entry?: string;
};

export const logRoute = createRoute({
  getParentRoute: () => userRoute,
  path: 'log',
  validateSearch: (search: Record<string, unknown>): LogSearch => {
    const kind = LOG_KINDS.find((known) => known === search.kind);
    return { ...(kind && { kind }), ...readTexts(search, ['entry']) };
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'LogPage'),
});
