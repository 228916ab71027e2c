import { createRoute, createRouter, Link, redirect } from '@tanstack/react-router';
import { userFrame } from '../features/user/route.tsx';
import { environmentRoute, outsideRoute, rootRoute, userRoute } from '../shared/routing/parents.ts';
import { buttonClass } from '../shared/ui/button.tsx';
import { Card } from '../shared/ui/card.tsx';
import { Empty, Failure } from '../shared/ui/states.tsx';
import { readEnvironment } from './last-environment.ts';
import { listGroups } from './navigation.ts';
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

function NotFound() {
  return (
    <Card>
      <Empty
        title="There is no page at this address"
        action={
          <Link to="/" className={buttonClass('first')}>
            Open the dashboard
          </Link>
        }
      >
        The address may be incomplete, or the page has moved.
      </Empty>
    </Card>
  );
}
