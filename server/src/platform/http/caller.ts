// Who makes a request, once the credential has been checked.
import type { Scope } from '../../domain/metrics/categories.ts';
import type { BillingStatus, Form, Tenant, UserId } from '../../domain/tenancy.ts';

export type ApiKeyCaller = {
  readonly kind: 'api_key';
  readonly keyId: string;
  readonly tenant: Tenant;
  readonly billing: BillingStatus;
  readonly defaultForm: Form;
};

export type UserTokenCaller = {
  readonly kind: 'user_token';
  readonly tokenId: string;
  readonly tenant: Tenant;
  readonly userId: UserId;
  readonly billing: BillingStatus;
  readonly defaultForm: Form;
};

/** Good for SDK initialization only; on REST it is known and refused (403). */
export type MobileTokenCaller = { readonly kind: 'mobile_token'; readonly tokenId: string; readonly defaultForm: Form };

/** A phone: one installation of one user, with what it may send. */
export type SdkSessionCaller = {
  readonly kind: 'sdk_session';
  readonly sessionId: string;
  readonly sessionCreatedAt: Date;
  readonly installationId: string;
  readonly tenant: Tenant;
  readonly userId: UserId;
  readonly scopes: readonly Scope[];
  readonly sources: readonly string[];
  readonly defaultForm: Form;
};

export type OperatorCaller = { readonly kind: 'operator' };
export type AnonymousCaller = { readonly kind: 'anonymous' };

export const ANONYMOUS: AnonymousCaller = { kind: 'anonymous' };

export type CredentialedCaller = ApiKeyCaller | UserTokenCaller | MobileTokenCaller | SdkSessionCaller | OperatorCaller;
export type Caller = CredentialedCaller | AnonymousCaller;

/** What a look-up is counted against before it reaches the database. Throws rate_limited. */
export type LookUpLimits = {
  /** For a token that nothing vouches for yet: the address of the caller. */
  countAddress(): Promise<void>;
  /** For a token that is signed by us: whom it names. The caller is then not counted again. */
  countCaller(caller: SignedCaller): Promise<void>;
};

/** Whom a token names by its signature alone. */
export type SignedCaller = Pick<UserTokenCaller, 'kind' | 'userId'> | Pick<SdkSessionCaller, 'kind' | 'sessionId'>;

/** Resolves a bearer token or throws invalid_token / token_expired. */
export type Authenticate = (token: string, limits: LookUpLimits) => Promise<CredentialedCaller>;
