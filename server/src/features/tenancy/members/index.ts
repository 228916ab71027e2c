export { type AuthenticatedMember, createAuthenticateMember } from './authenticate-member.ts';
export { removeMembersOf } from './removal-store.ts';
