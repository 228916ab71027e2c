// Stateless codes, tokens and visits: they contain their claims, signed with the simulator's key.

import { createHmac } from 'node:crypto';
import { isSameSecret } from '../platform/crypto/is-same-secret.ts';

export type Claims = {
  /** `visit`: a browser in which a user gave a consent. */
  readonly use: 'code' | 'access' | 'refresh' | 'visit';
  readonly provider: string;
  readonly seed: string;
  /** When the user gave the consent. */
  readonly sinceMs: number;
  /** Identifies all tokens of one consent. */
  readonly grant: string;
  readonly client: string;
  readonly scopes: readonly string[];
  /** How often it was refreshed. */
  readonly generation: number;
  /** Null: never. */
  readonly endsMs: number | null;
  /** For a code: what the exchange must match. */
  readonly redirectUri?: string;
  readonly challenge?: string | null;
  /** Whether the authorization request allows refreshing. */
  readonly canRefresh?: boolean;
};

export type ClaimSigner = {
  sign(claims: Claims): string;
  /** Null: forged, of another use or provider, or expired. */
  open(text: string, expected: { use: Claims['use']; provider: string }, now: Date): Claims | null;
};

export function createClaimSigner(key: Buffer): ClaimSigner {
  const digest = (payload: string) => createHmac('sha256', key).update(`token/${payload}`).digest();
  return {
    sign(claims) {
      const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
      return `${payload}.${digest(payload).toString('base64url')}`;
    },
    open(text, { use, provider }, now) {
      const [payload = '', signature = '', ...rest] = text.split('.');
      if (rest.length > 0 || !isSameSecret(digest(payload), Buffer.from(signature, 'base64url'))) return null;
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
      if (claims.use !== use || claims.provider !== provider) return null;
      return claims.endsMs !== null && claims.endsMs <= now.getTime() ? null : claims;
    },
  };
}
