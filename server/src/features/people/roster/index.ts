// The team roster: its endpoints, the invitation pages, and the mails to members.
export { bringBack } from './accept-invitation.ts';
export { endMembership } from './end-membership.ts';
export { invitationRoutes } from './invitation-routes.ts';
export { recordSharingJob, sendRosterMailJob, tidyRosterJob } from './jobs.ts';
export { type MailServices, mailMember } from './mail-member.ts';
export { rosterMemberRoutes } from './member-routes.ts';
export { rosterOperatorRoutes } from './operator-routes.ts';
export { replacePortalLinks, requestPortalLink } from './portal-links.ts';
export { rosterRoutes } from './routes.ts';
export { listSharedData } from './wording.ts';
