// Who shares with which organization: the records, their links, and the end of sharing.
export { endSharing } from './end-sharing.ts';
export {
  INVITATION_PATH,
  invitationLink,
  OWN_PAGE_PATH,
  ownPageLink,
  readInvitationToken,
  readOwnPageToken,
} from './links.ts';
export { type Invitation, type ListedMember, type Member, rosterTenant, type Share } from './membership.ts';
export {
  claimPerson,
  decideInvitation,
  findFormerUser,
  findMember,
  findMemberOfUser,
  findPendingInvitation,
  hasPerson,
  insertInvitation,
  insertMember,
  listInviters,
  listMembers,
  listShares,
  lockInvitation,
  lockInvitationsOf,
  lockMember,
  lockPerson,
  readInvitation,
  readInvitationTime,
  readInvitationTimeOfPerson,
  readMember,
  readMemberRecord,
  removeFromRoster,
  removeMemberships,
  removeOldInvitations,
  removeOpenInvitations,
  saveMemberStatus,
} from './store.ts';
