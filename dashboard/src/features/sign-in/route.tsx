import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { outsideRoute } from '../../shared/routing/parents.ts';

export const signInRoute = createRoute({
  getParentRoute: () => outsideRoute,
  path: 'sign-in',
  validateSearch: (search): { next?: string | undefined; reset?: true | undefined } => ({
    // Both are always given: the router keeps the value of the address for a name that is missing here.
    next: isOwnPath(search.next) ? search.next : undefined,
    reset: search.reset === true ? true : undefined,
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'SignInPage'),
});

export const welcomeRoute = createRoute({
  getParentRoute: () => outsideRoute,
  path: 'welcome',
  component: lazyRouteComponent(() => import('./link-pages.tsx'), 'WelcomePage'),
});

export const joinRoute = createRoute({
  getParentRoute: () => outsideRoute,
  path: 'join',
  component: lazyRouteComponent(() => import('./link-pages.tsx'), 'JoinPage'),
});

export const forgotRoute = createRoute({
  getParentRoute: () => outsideRoute,
  path: 'forgot',
  component: lazyRouteComponent(() => import('./forgot-page.tsx'), 'ForgotPage'),
});

export const resetRoute = createRoute({
  getParentRoute: () => outsideRoute,
  path: 'reset',
  component: lazyRouteComponent(() => import('./link-pages.tsx'), 'ResetPage'),
});

/** Only an address of the dashboard: a link must not lead elsewhere after signing in. */
function isOwnPath(value: unknown): value is string {
  return typeof value === 'string' && /^\/[^/\\]/.test(value);
}
