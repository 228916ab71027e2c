// Members, invitations and persons: their records, their links, and the end of sharing.
export { endSharing } from './end-sharing.ts';
export { listInvitations } from './invitation-list-store.ts';
export {
  INVITATION_PATH,
  invitationLink,
  PORTAL_PATH,
  portalLink,
  readInvitationToken,
  readPortalToken,
} from './links.ts';
export {
  type ListedRosterMember,
  type RosterInvitation,
  type RosterMember,
  type RosterMembership,
  rosterTenant,
} from './membership.ts';
export {
  claimPerson,
  findPerson,
  lockPerson,
  type RosterPerson,
  raiseLinkVersion,
  readPerson,
  readWrittenAddress,
  saveLanguage,
  saveLinkRequests,
} from './person-store.ts';
export { removeRosterOf } from './roster-removal-store.ts';
export {
  decideInvitation,
  findFormerUser,
  findMember,
  findMemberOfUser,
  findMembersByEmail,
  findPendingInvitation,
  insertInvitation,
  insertRosterMember,
  listInviters,
  listOrganizations,
  listRosterMembers,
  listRosterMemberships,
  lockInvitation,
  lockInvitationsOf,
  lockMember,
  readInvitation,
  readInvitationTime,
  readInvitationTimeOfPerson,
  readMember,
  readMemberRecord,
  removeFromRoster,
  removeMemberships,
  removeOldInvitations,
  removeOpenInvitations,
  restoreMember,
  saveMemberStatus,
} from './store.ts';
