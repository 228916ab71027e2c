import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { userFrame } from '../features/user/route.tsx';
import { environmentRoute, outsideRoute, rootRoute, userRoute } from '../shared/routing/parents.ts';
import { Failure } from '../shared/ui/states.tsx';
import { readEnvironment } from './last-environment.ts';
import { listGroups } from './navigation.ts';
import { NotFound } from './not-found.tsx';
import { environmentRoutes, outsideRoutes, userRoutes } from './routes.tsx';
import { Shell } from './shell.tsx';

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ href: `/${readEnvironment()}/${firstSection()}` });
  },
});

const environmentStartRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/',
  beforeLoad: ({ params: { environment } }) => {
    throw redirect({ href: `/${environment}/${firstSection()}` });
  },
});

const routeTree = rootRoute.addChildren([
  startRoute,
  outsideRoute.addChildren(outsideRoutes),
  environmentRoute
    .update({ component: Shell, notFoundComponent: NotFound })
    .addChildren([
      environmentStartRoute,
      ...environmentRoutes,
      userRoute.update({ component: userFrame }).addChildren(userRoutes),
    ]),
]);

export const router = createRouter({
  routeTree,
  basepath: '/dashboard',
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0, // the query cache decides
  scrollRestoration: true,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

function firstSection(): string {
  return listGroups(router, false)[0]?.entries[0]?.section ?? '';
}
