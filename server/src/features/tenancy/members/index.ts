export { type AuthenticatedMember, createAuthenticateMember } from './authenticate-member.ts';
