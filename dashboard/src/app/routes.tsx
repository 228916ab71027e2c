// Every page of the dashboard. A page is added by one line here; its route.tsx names one of the parents in shared/routing.
import { connectionsRoute } from '../features/connections/route.tsx';
import { consolidationRoute } from '../features/consolidation/route.tsx';
import { dayRoute } from '../features/day/route.tsx';
import { eventsRoute } from '../features/events/route.tsx';
import { homeRoute } from '../features/home/route.tsx';
import { importRoute } from '../features/import/route.tsx';
import { keysRoute } from '../features/keys/route.tsx';
import { logRoute } from '../features/log/route.tsx';
import { providersRoute } from '../features/providers/route.tsx';
import { requestRoute, requestsRoute } from '../features/requests/route.tsx';
import { rosterRoute } from '../features/roster/route.tsx';
import { scenariosRoute } from '../features/scenarios/route.tsx';
import { scoreRoute, scoresRoute } from '../features/scores/route.tsx';
import { serviceRoute } from '../features/service/route.tsx';
import { settingsRoute } from '../features/settings/route.tsx';
import { forgotRoute, joinRoute, resetRoute, signInRoute, welcomeRoute } from '../features/sign-in/route.tsx';
import { trendsRoute } from '../features/trends/route.tsx';
import { dayStartRoute, userStartRoute } from '../features/user/route.tsx';
import { usersRoute } from '../features/users/route.tsx';
import { deliveriesRoute, webhookRoute, webhooksRoute } from '../features/webhooks/route.tsx';

/** Below /dashboard/{live|sandbox}/, inside the shell. */
export const environmentRoutes = [
  homeRoute,
  usersRoute,
  rosterRoute,
  webhooksRoute,
  deliveriesRoute,
  webhookRoute,
  eventsRoute,
  requestsRoute,
  requestRoute,
  keysRoute,
  providersRoute,
  scenariosRoute,
  settingsRoute,
  serviceRoute,
] as const;

/** Below /dashboard/{live|sandbox}/users/{id}/, under the head of the user. */
export const userRoutes = [
  userStartRoute,
  dayStartRoute,
  dayRoute,
  trendsRoute,
  scoresRoute,
  scoreRoute,
  connectionsRoute,
  consolidationRoute,
  importRoute,
  logRoute,
] as const;

/** Below /dashboard/, without a session. */
export const outsideRoutes = [signInRoute, welcomeRoute, joinRoute, forgotRoute, resetRoute] as const;
