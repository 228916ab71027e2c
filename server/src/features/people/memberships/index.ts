// Members, invitations and persons: their records, their links, and the end of sharing.
export { endSharing } from './end-sharing.ts';
export {
  decideInvitation,
  findPendingInvitation,
  insertInvitation,
  listInvitations,
  listInviters,
  lockInvitation,
  lockInvitationsOf,
  readInvitation,
  readInvitationTime,
  readInvitationTimeOfPerson,
  removeOldInvitations,
  removeOpenInvitations,
} from './invitation-store.ts';
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
  findFormerUser,
  findMember,
  findMemberOfUser,
  findMembersByEmail,
  insertRosterMember,
  listOrganizations,
  listRosterMembers,
  listRosterMemberships,
  lockMember,
  readMember,
  readMemberRecord,
  removeFromRoster,
  removeMemberships,
  restoreMember,
  saveMemberStatus,
} from './store.ts';
