import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { userRoute } from '../../shared/routing/parents.ts';

export const userFrame = lazyRouteComponent(() => import('./frame.tsx'), 'UserFrame');

const start = lazyRouteComponent(() => import('./start.tsx'), 'UserStart');

export const userStartRoute = createRoute({ getParentRoute: () => userRoute, path: '/', component: start });

/** A day without a date. */
export const dayStartRoute = createRoute({ getParentRoute: () => userRoute, path: 'day', component: start });
