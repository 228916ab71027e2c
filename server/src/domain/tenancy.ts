// The owners of data: an account, one of its two environments, and a user in it.
import type { Branded } from './branded.ts';

export type AccountId = Branded<string, 'AccountId'>;
export type UserId = Branded<string, 'UserId'>;
export type DeviceId = Branded<string, 'DeviceId'>;
/** The number of a device within its user, used in stored rows. */
export type DeviceNumber = Branded<number, 'DeviceNumber'>;

export const ENVIRONMENTS = ['live', 'sandbox'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export function parseEnvironment(text: string): Environment | null {
  return ENVIRONMENTS.find((environment) => environment === text) ?? null;
}

export type Tenant = { readonly accountId: AccountId; readonly environment: Environment };

export const BILLING_STATUSES = ['active', 'past_due', 'suspended'] as const;
export type BillingStatus = (typeof BILLING_STATUSES)[number];

/** What a member of an account may do on the dashboard, each with the rights of those before it. */
export const MEMBER_ROLES = ['viewer', 'developer', 'owner'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

export function hasRole(role: MemberRole, needed: MemberRole): boolean {
  return MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(needed);
}

/** The form of a response (specification: Form 1 and Form 2). */
export type Form = 1 | 2;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Of the customer's own id for a user. */
export const MAX_REFERENCE_LENGTH = 255;

/** An id that is not a UUID matches nothing (gap G-11), so it never reaches the database. */
export function parseUserId(text: string): UserId | null {
  return UUID.test(text) ? (text.toLowerCase() as UserId) : null;
}
