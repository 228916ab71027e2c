// The complete route table, in the order of the documentation.

import { auditDashboardChanges, auditPublicChanges } from './audited-changes.ts';
import { connectionMemberRoutes, connectionPageRoutes, connectionRoutes } from './features/clouds/connections/index.ts';
import { providerWebhookRoutes } from './features/clouds/provider-webhooks/index.ts';
import { syncMemberRoutes, syncRoutes } from './features/clouds/sync/index.ts';
import { bundleRoutes, importMemberRoutes, importRoutes } from './features/intake/imports/index.ts';
import { uploadRoutes } from './features/intake/uploads/index.ts';
import { eventRoutes } from './features/notify/events/index.ts';
import { webhookDashboardRoutes, webhookRoutes } from './features/notify/webhooks/index.ts';
import { accountKeyRoutes, accountRoutes, auditRoutes } from './features/operator/account-settings/index.ts';
import { activityRoutes } from './features/operator/activity/index.ts';
import { adminRoutes, auditTrailRoutes, keyRoutes, masterKeyRoutes } from './features/operator/admin/index.ts';
import { dashboardFileRoutes } from './features/operator/dashboard-files/index.ts';
import { docsSiteRoutes } from './features/operator/docs-site/index.ts';
import { inspectionRoutes } from './features/operator/inspection/index.ts';
import { monitoringRoutes } from './features/operator/monitoring/index.ts';
import { operationRoutes } from './features/operator/operations/index.ts';
import { operatorEventRoutes } from './features/operator/operator-events/index.ts';
import { overviewRoutes } from './features/operator/overview/index.ts';
import { providerMemberRoutes, providerSetupRoutes } from './features/operator/provider-setup/index.ts';
import { replayRoutes } from './features/operator/replay/index.ts';
import { sandboxMemberRoutes } from './features/operator/sandbox-control/index.ts';
import { searchRoutes } from './features/operator/search/index.ts';
import { serviceRoutes } from './features/operator/service/index.ts';
import { startPageRoutes } from './features/operator/start-page/index.ts';
import { portalRoutes } from './features/people/privacy-portal/index.ts';
import {
  invitationRoutes,
  rosterMemberRoutes,
  rosterOperatorRoutes,
  rosterRoutes,
} from './features/people/roster/index.ts';
import { directoryRoutes } from './features/people/user-directory/index.ts';
import { userRoutes } from './features/people/users/index.ts';
import { consolidationRoutes } from './features/pipeline/consolidation/index.ts';
import { catalogRoutes, providerIconRoutes } from './features/reads/catalog/index.ts';
import { consolidationEditorRoutes } from './features/reads/consolidation-editor/index.ts';
import { dailyRoutes, explainRoutes } from './features/reads/daily/index.ts';
import { dayRoutes } from './features/reads/day/index.ts';
import { exportRoutes } from './features/reads/exports/index.ts';
import { restrictionRoutes } from './features/reads/restrictions/index.ts';
import { sampleColumnRoutes } from './features/reads/sample-columns/index.ts';
import { scoreMatrixRoutes, scoreRoutes } from './features/reads/scores/index.ts';
import { sleepRoutes } from './features/reads/sleep/index.ts';
import { timeseriesRoutes } from './features/reads/timeseries/index.ts';
import { userLogRoutes } from './features/reads/user-log/index.ts';
import { workoutRoutes } from './features/reads/workouts/index.ts';
import { sandboxRoutes } from './features/sandbox/sandbox-users/index.ts';
import { simulatorOperatorRoutes, simulatorRoutes } from './features/sandbox/simulator-api/index.ts';
import { deviceRoutes } from './features/store/devices/index.ts';

import { logoRoutes } from './features/tenancy/accounts/index.ts';
import { memberOperatorRoutes, securityRoutes, signInRoutes, teamRoutes } from './features/tenancy/members/index.ts';
import { requestRoutes } from './features/tenancy/request-log/index.ts';
import { sdkSessionRoutes } from './features/tenancy/sdk-sessions/index.ts';
import { tokenRoutes } from './features/tenancy/tokens/index.ts';
import { offerToMembers } from './platform/http/member-routes.ts';
import type { RawRoute } from './platform/http/raw-route.ts';
import type { Route } from './platform/http/route.ts';

/** Served on PORT outside of the API: hosted pages and provider webhooks. */
export const publicRawRoutes: readonly RawRoute[] = [
  ...startPageRoutes,
  ...docsSiteRoutes,
  ...connectionPageRoutes,
  ...providerIconRoutes,
  ...logoRoutes,
  ...invitationRoutes,
  ...portalRoutes,
  ...providerWebhookRoutes,
  ...simulatorRoutes,
  ...dashboardFileRoutes,
];

/** Served by a worker in addition to health checks, because the worker calls these routes itself. */
export const workerRawRoutes: readonly RawRoute[] = [...providerWebhookRoutes, ...simulatorRoutes];

/** Served on PORT. */
export const publicRoutes: readonly Route[] = auditPublicChanges([
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
  ...exportRoutes,
  ...restrictionRoutes,
  ...rosterRoutes,
  ...sdkSessionRoutes,
  ...uploadRoutes,
  ...tokenRoutes,
  ...webhookRoutes,
  ...eventRoutes,
  ...operationRoutes,
]);

/** Served on the operator socket, with the operator token. */
export const operatorRoutes: readonly Route[] = [
  ...adminRoutes,
  ...keyRoutes,
  ...masterKeyRoutes,
  ...monitoringRoutes,
  ...auditTrailRoutes,
  ...memberOperatorRoutes,
  ...providerSetupRoutes,
  ...rosterOperatorRoutes,
  ...replayRoutes,
  ...importRoutes,
  ...bundleRoutes,
  ...inspectionRoutes,
  ...operatorEventRoutes,
  ...sandboxRoutes,
  ...simulatorOperatorRoutes,
];

/** What `tributary doctor` asks. A worker serves nothing else to operators, because its few connections are for its own work. */
const ASKED_BY_DOCTOR = ['/admin/accounts', '/admin/accounts-without-owner', '/admin/diagnosis', '/admin/keys'];
export const workerOperatorRoutes: readonly Route[] = operatorRoutes.filter(
  ({ method, path }) => method === 'GET' && ASKED_BY_DOCTOR.includes(path),
);

/** Served on PORT, for signed-in members. */
export const dashboardRoutes: readonly Route[] = auditDashboardChanges([
  ...signInRoutes,
  ...securityRoutes,
  ...teamRoutes,
  ...accountRoutes,
  ...accountKeyRoutes,
  ...auditRoutes,
  ...directoryRoutes,
  ...searchRoutes,
  ...sampleColumnRoutes,
  ...scoreMatrixRoutes,
  ...connectionMemberRoutes,
  ...syncMemberRoutes,
  ...userLogRoutes,
  ...importMemberRoutes,
  ...consolidationEditorRoutes,
  ...requestRoutes,
  ...dayRoutes,
  ...overviewRoutes,
  ...activityRoutes,
  ...webhookDashboardRoutes,
  ...rosterMemberRoutes,
  ...providerMemberRoutes,
  ...sandboxMemberRoutes,
  ...serviceRoutes,
]);

/** Everything that members can call: the rows of the dashboard, and the API with their rights. */
export const memberRoutes: readonly Route[] = [...dashboardRoutes, ...offerToMembers(publicRoutes)];
