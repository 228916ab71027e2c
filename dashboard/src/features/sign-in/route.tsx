import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { outsideRoute } from '../../shared/routing/parents.ts';

export const signInRoute = createRoute({
  getParentRoute: () => outsideRoute,
  path: 'sign-in',
  validateSearch: (search): { next?: string } => (isOwnPath(search.next) ? { next: search.next } : {}),
  component: lazyRouteComponent(() => import('./page.tsx'), 'SignInPage'),
});

/** Only an address of the dashboard: a link must not lead elsewhere after signing in. */
function isOwnPath(value: unknown): value is string {
  return typeof value === 'string' && /^\/[^/\\]/.test(value);
}
