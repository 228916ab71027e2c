// Standard OAuth 2 token responses (RFC 6749, 5.1 and 5.2), for providers that follow it.
import type { RawReply } from '../../platform/http/raw-route.ts';
import { replyJson } from '../reply-json.ts';
import type { OAuthError, TokenGrant } from './oauth-dialect.ts';

const UNKEPT = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** `more`: fields that the provider adds. */
export function presentStandardTokens(grant: TokenGrant, more: Readonly<Record<string, unknown>> = {}): RawReply {
  const body = {
    token_type: 'bearer',
    access_token: grant.accessToken,
    expires_in: grant.expiresInSeconds,
    ...(grant.refreshToken !== null && { refresh_token: grant.refreshToken }),
    ...more,
  };
  return replyJson(200, body, UNKEPT);
}

export function presentStandardError({ status, error, description }: OAuthError): RawReply {
  const challenge = status === 401 ? { 'www-authenticate': 'Basic realm="token"' } : {};
  return replyJson(status, { error, error_description: description }, { ...UNKEPT, ...challenge });
}
