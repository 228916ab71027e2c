// The changes of members that get their audit entry from the route table. Other changes write their own, with what they changed.
import { auditChange } from './features/tenancy/accounts/index.ts';
import type { Route } from './platform/http/route.ts';

/** By operation. */
const ACTIONS: Readonly<Record<string, string>> = {
  signOut: 'session.ended',
  endSession: 'session.ended',
  recoverDeliveries: 'webhook.deliveries_recovered',
  addFault: 'sandbox.fault_added',
  removeFaults: 'sandbox.faults_removed',
  removeFault: 'sandbox.fault_removed',
  createUserAsMember: 'user.created',
  updateUserAsMember: 'user.changed',
  deleteUserAsMember: 'user.deleted',
  connectDeviceAsMember: 'device.connection_started',
  disconnectDeviceAsMember: 'device.disconnected',
  syncDeviceAsMember: 'device.sync_requested',
  inviteMemberAsMember: 'roster.invited',
  revokeInvitationAsMember: 'roster.invitation_revoked',
  updateMemberAsMember: 'roster.member_changed',
  removeMemberAsMember: 'roster.member_removed',
  createSdkSessionAsMember: 'sdk_session.created',
  revokeSdkSessionAsMember: 'sdk_session.revoked',
  issueUserTokenAsMember: 'user_token.issued',
  refreshUserTokenAsMember: 'user_token.refreshed',
  issueMobileTokenAsMember: 'mobile_token.issued',
  createWebhookAsMember: 'webhook.created',
  updateWebhookAsMember: 'webhook.changed',
  deleteWebhookAsMember: 'webhook.deleted',
  rotateWebhookSecretAsMember: 'webhook.secret_rotated',
  testWebhookAsMember: 'webhook.tested',
  retryDeliveryAsMember: 'webhook.delivery_retried',
};

export function auditMemberChange(route: Route): Route {
  const action = ACTIONS[route.operationId];
  return action === undefined ? route : auditChange(route, action);
}
