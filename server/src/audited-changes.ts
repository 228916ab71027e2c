// The changes that get their audit entry from the route table. Other changes write their own, with the changed values.
import { auditChange } from './features/tenancy/accounts/index.ts';
import type { Route } from './platform/http/route.ts';

/** Of API keys, and of members under the path of the dashboard, by operation. */
const PUBLIC_ACTIONS: Readonly<Record<string, string>> = {
  createUser: 'user.created',
  updateUser: 'user.changed',
  deleteUser: 'user.deleted',
  connectDevice: 'device.connection_started',
  disconnectDevice: 'device.disconnected',
  syncDevice: 'device.sync_requested',
  inviteMember: 'roster.invited',
  revokeInvitation: 'roster.invitation_revoked',
  updateMember: 'roster.member_changed',
  removeMember: 'roster.member_removed',
  createSdkSession: 'sdk_session.created',
  revokeSdkSession: 'sdk_session.revoked',
  issueUserToken: 'user_token.issued',
  refreshUserToken: 'user_token.refreshed',
  issueMobileToken: 'mobile_token.issued',
  createWebhook: 'webhook.created',
  updateWebhook: 'webhook.changed',
  deleteWebhook: 'webhook.deleted',
  rotateWebhookSecret: 'webhook.secret_rotated',
  testWebhook: 'webhook.tested',
  retryDelivery: 'webhook.delivery_retried',
};

/** Of members only. */
const DASHBOARD_ACTIONS: Readonly<Record<string, string>> = {
  signOut: 'session.ended',
  endSession: 'session.ended',
  recoverDeliveries: 'webhook.deliveries_recovered',
  addFault: 'sandbox.fault_added',
  removeFaults: 'sandbox.faults_removed',
  removeFault: 'sandbox.fault_removed',
};

export const auditPublicChanges = (routes: readonly Route[]): Route[] => auditChangesIn(PUBLIC_ACTIONS, routes);
export const auditDashboardChanges = (routes: readonly Route[]): Route[] => auditChangesIn(DASHBOARD_ACTIONS, routes);

function auditChangesIn(actions: Readonly<Record<string, string>>, routes: readonly Route[]): Route[] {
  const operations = new Set(routes.map(({ operationId }) => operationId));
  const unknown = Object.keys(actions).filter((operation) => !operations.has(operation));
  if (unknown.length > 0) throw new Error(`no route for the audited operations ${unknown.join(' ')}`);
  return routes.map((route) => {
    const action = actions[route.operationId];
    return action === undefined ? route : auditChange(route, action);
  });
}
