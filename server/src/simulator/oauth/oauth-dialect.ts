// How a provider implements OAuth 2: its rules as data.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { SimulatedAccount } from '../account-store.ts';
import type { ProviderContext } from '../provider-context.ts';

export type OAuthDialect = {
  readonly authorizePath: string;
  readonly tokenPath: string;
  /** Form fields that identify a token request, if other calls share the path. */
  readonly tokenForm?: Readonly<Record<string, string>>;
  readonly scopes: readonly string[];
  readonly scopeSeparator: ' ' | ',';
  /** Granted if none is requested. Absent: requesting none is an error. */
  readonly impliedScopes?: readonly string[];
  /** The user may withhold some. */
  readonly canRefuseScopes?: true;
  /** The redirect back includes the granted scopes. */
  readonly isScopeOnRedirect?: true;
  /** Absent: not supported. */
  readonly pkce?: 'optional' | 'required';
  readonly minStateCharacters?: number;
  /** Absent: ten minutes. */
  readonly codeSeconds?: number;
  readonly accessSeconds: number;
  readonly clientAuthentication: readonly ('basic' | 'body')[];
  /** Null: the user has to authorize again when the access token expires. */
  readonly refresh: RefreshRule | null;
  presentTokens(grant: TokenGrant, context: ProviderContext): RawReply;
  /** Absent: as in RFC 6749. */
  readonly presentError?: (error: OAuthError) => RawReply;
};

export type RefreshRule = {
  /** Each refresh token is valid once. */
  readonly isRotating: boolean;
  /** Absent: they do not expire. */
  readonly seconds?: number;
  /** Without it no refresh token is issued. Absent: always issued. */
  readonly neededScope?: string;
  /** Authorization parameters without which no refresh token is issued. Absent: none. */
  readonly neededParameters?: Readonly<Record<string, string>>;
  /** The rotation revokes the previous access token. */
  readonly endsAccess?: true;
  /** How long the previous refresh token stays valid, unless the new pair is used first. */
  readonly graceSeconds?: number;
};

export type TokenGrant = {
  readonly account: SimulatedAccount;
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly refreshToken: string | null;
  readonly refreshExpiresInSeconds: number | null;
  readonly scopes: readonly string[];
  /** Not the first tokens of the grant. */
  readonly isRefresh: boolean;
};

export type OAuthError = {
  readonly status: 400 | 401;
  readonly error:
    | 'invalid_request'
    | 'invalid_client'
    | 'invalid_grant'
    | 'unsupported_grant_type'
    | 'unauthorized_client';
  readonly description: string;
};
