export { type AuthenticatedMember, createAuthenticateMember } from './authenticate-member.ts';
export { createFirstLink } from './manage-members.ts';
export { memberOperatorRoutes } from './operator-routes.ts';
export { removeMembersOf } from './removal-store.ts';
export { resetPasswordJob } from './reset-links.ts';
export { securityRoutes } from './security-routes.ts';
export { sendMemberMailJob } from './send-mail-job.ts';
export { signInRoutes } from './sign-in-routes.ts';
export { teamRoutes } from './team-routes.ts';
