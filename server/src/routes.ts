// The whole route table, in the order of the documentation.
import { adminRoutes, keyRoutes, masterKeyRoutes } from './features/admin/index.ts';
import { catalogRoutes, providerMarkRoutes } from './features/catalog/index.ts';
import { connectionPageRoutes, connectionRoutes } from './features/connections/index.ts';
import { consolidationRoutes } from './features/consolidation/index.ts';
import { dailyRoutes } from './features/daily/index.ts';
import { deviceRoutes } from './features/devices/index.ts';
import { eventRoutes } from './features/events/index.ts';
import { explainRoutes } from './features/explain/index.ts';
import { inspectionRoutes } from './features/inspection/index.ts';
import { noticeRawRoutes } from './features/notices/index.ts';
import { frontDoorRoutes, operationRoutes } from './features/operations/index.ts';
import { operatorEventRoutes } from './features/operator-events/index.ts';
import { ownPageRoutes } from './features/own-page/index.ts';
import { providerSetupRoutes } from './features/provider-setup/index.ts';
import { replayRoutes } from './features/replay/index.ts';
import { invitationRoutes, rosterOperatorRoutes, rosterRoutes } from './features/roster/index.ts';
import { sandboxRoutes } from './features/sandbox/index.ts';
import { scoreRoutes } from './features/scores/index.ts';
import { sdkSessionRoutes } from './features/sdk-sessions/index.ts';
import { simulatorOperatorRoutes, simulatorRoutes } from './features/simulator/index.ts';
import { sleepRoutes } from './features/sleep/index.ts';
import { syncRoutes } from './features/sync/index.ts';
import { timeseriesRoutes } from './features/timeseries/index.ts';
import { tokenRoutes } from './features/tokens/index.ts';
import { uploadRoutes } from './features/uploads/index.ts';
import { userRoutes } from './features/users/index.ts';
import { webhookRoutes } from './features/webhooks/index.ts';
import { workoutRoutes } from './features/workouts/index.ts';
import type { RawRoute } from './platform/http/raw-route.ts';
import type { Route } from './platform/http/route.ts';

/** Served on PORT outside of the API: pages for people, and what providers call. */
export const publicRawRoutes: readonly RawRoute[] = [
  ...frontDoorRoutes,
  ...connectionPageRoutes,
  ...providerMarkRoutes,
  ...invitationRoutes,
  ...ownPageRoutes,
  ...noticeRawRoutes,
  ...simulatorRoutes,
];

/** What a process without the API serves beside its health: what it asks of itself. */
export const workerRawRoutes: readonly RawRoute[] = [...noticeRawRoutes, ...simulatorRoutes];

/** Served on PORT. */
export const publicRoutes: readonly Route[] = [
  ...catalogRoutes,
  ...userRoutes,
  ...deviceRoutes,
  ...connectionRoutes,
  ...syncRoutes,
  ...consolidationRoutes,
  ...dailyRoutes,
  ...sleepRoutes,
  ...workoutRoutes,
  ...explainRoutes,
  ...scoreRoutes,
  ...timeseriesRoutes,
  ...rosterRoutes,
  ...sdkSessionRoutes,
  ...uploadRoutes,
  ...tokenRoutes,
  ...webhookRoutes,
  ...eventRoutes,
  ...operationRoutes,
];

/** Served on a loopback listener of its own, with the operator's token. */
export const operatorRoutes: readonly Route[] = [
  ...adminRoutes,
  ...keyRoutes,
  ...masterKeyRoutes,
  ...providerSetupRoutes,
  ...rosterOperatorRoutes,
  ...replayRoutes,
  ...inspectionRoutes,
  ...operatorEventRoutes,
  ...sandboxRoutes,
  ...simulatorOperatorRoutes,
];
