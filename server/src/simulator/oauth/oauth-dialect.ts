// How a provider does OAuth 2: its rules as data.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { Account } from '../account-store.ts';
import type { ProviderContext } from '../provider-context.ts';

export type OAuthDialect = {
  readonly authorizePath: string;
  readonly tokenPath: string;
  /** Fields by which a form is known to ask for tokens, where other calls share the path. */
  readonly tokenForm?: Readonly<Record<string, string>>;
  readonly scopes: readonly string[];
  readonly scopeSeparator: ' ' | ',';
  /** Given where none is asked for. Absent: asking for none is an error. */
  readonly impliedScopes?: readonly string[];
  /** The person may leave some out. */
  readonly canRefuseScopes: boolean;
  /** What was granted is also told on the way back. */
  readonly isScopeOnRedirect: boolean;
  readonly pkce: 'none' | 'optional' | 'required';
  readonly minStateCharacters: number;
  readonly codeSeconds: number;
  readonly accessSeconds: number;
  readonly clientAuthentication: readonly ('basic' | 'body')[];
  /** Null: when the access token ends, the person has to come back. */
  readonly refresh: RefreshRule | null;
  presentTokens(grant: TokenGrant, context: ProviderContext): RawReply;
  presentError(error: OAuthError): RawReply;
};

export type RefreshRule = {
  /** Each is good once. */
  readonly isRotating: boolean;
  /** Null: they do not end. */
  readonly seconds: number | null;
  /** Without it there is no refresh token. Null: always. */
  readonly neededScope: string | null;
  /** Asked for with the consent, and without it there is none either. Absent: nothing is. */
  readonly neededParameters?: Readonly<Record<string, string>>;
  /** The access token of before ends with the rotation. */
  readonly endsAccess: boolean;
  /** How long the refresh token of before is still good, unless the new pair is used before. */
  readonly graceSeconds: number;
};

export type TokenGrant = {
  readonly account: Account;
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly refreshToken: string | null;
  readonly refreshExpiresInSeconds: number | null;
  readonly scopes: readonly string[];
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
