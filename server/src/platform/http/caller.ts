// The caller of a request, after its credential was checked.
import type { BillingStatus, Environment, Form, MemberRole, Tenant, UserId } from '../../domain/tenancy.ts';

export type ApiKeyCaller = {
  readonly kind: 'api_key';
  readonly keyId: string;
  readonly tenant: Tenant;
  readonly billing: BillingStatus;
  readonly defaultForm: Form;
};

/** A signed-in member of an account, on the dashboard. */
export type MemberCaller = {
  readonly kind: 'member';
  readonly memberId: string;
  readonly memberName: string;
  readonly sessionId: string;
  readonly role: MemberRole;
  readonly isOperator: boolean;
  /** The password was entered within the last ten minutes. */
  readonly isConfirmed: boolean;
  readonly confirmedUntil: Date | null;
  /** A closed account can only be read, reopened and deleted. */
  readonly isClosed: boolean;
  /** The environment of the path; live where the path has none. */
  readonly tenant: Tenant;
  readonly billing: BillingStatus;
  readonly defaultForm: Form;
  /** What a member creates belongs to no API key. */
  readonly keyId: null;
};

/** Acts for a whole account in one environment. */
export type AccountCaller = ApiKeyCaller | MemberCaller;

export type UserTokenCaller = {
  readonly kind: 'user_token';
  readonly tokenId: string;
  readonly tenant: Tenant;
  readonly userId: UserId;
  readonly billing: BillingStatus;
  readonly defaultForm: Form;
};

/** Only valid for SDK initialization; REST calls reject it with 403. */
export type MobileTokenCaller = { readonly kind: 'mobile_token'; readonly tokenId: string; readonly defaultForm: Form };

/** One installation on a user's phone, with the data it can send. */
export type SdkSessionCaller = {
  readonly kind: 'sdk_session';
  readonly sessionId: string;
  readonly sessionCreatedAt: Date;
  readonly installationId: string;
  readonly tenant: Tenant;
  readonly userId: UserId;
  readonly scopes: readonly string[];
  readonly sources: readonly string[];
  readonly defaultForm: Form;
};

export type OperatorCaller = { readonly kind: 'operator' };
export type AnonymousCaller = { readonly kind: 'anonymous' };

export const ANONYMOUS: AnonymousCaller = { kind: 'anonymous' };

export type CredentialedCaller =
  | ApiKeyCaller
  | MemberCaller
  | UserTokenCaller
  | MobileTokenCaller
  | SdkSessionCaller
  | OperatorCaller;
export type Caller = CredentialedCaller | AnonymousCaller;

/** The rate limits of token look-ups, applied before the database is queried. They throw rate_limited. */
export type LookUpLimits = {
  /** For a token that is not verified yet: counts against the address. */
  countAddress(): Promise<void>;
  /** For a token with a valid signature, or that was valid before: counts against its caller, who is not counted again. */
  countCaller(caller: SignedCaller): Promise<void>;
};

/** The caller according to the token's signature alone, or to an earlier look-up of it. */
export type SignedCaller =
  | Pick<UserTokenCaller, 'kind' | 'userId'>
  | Pick<SdkSessionCaller, 'kind' | 'sessionId'>
  | Pick<MemberCaller, 'kind' | 'memberId'>;

/** Resolves a bearer token or throws invalid_token / token_expired. */
export type Authenticate = (token: string, limits: LookUpLimits) => Promise<CredentialedCaller>;

/** Resolves the token of a session cookie or throws invalid_token. */
export type AuthenticateMember = (
  token: string,
  environment: Environment,
  limits: LookUpLimits,
) => Promise<MemberCaller>;
