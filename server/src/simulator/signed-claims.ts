// Stateless codes, tokens and visits: they contain their claims, signed with the simulator's key.

import { createHmac } from 'node:crypto';
import type { Sex } from '../domain/scores/index.ts';
import { isSameSecret } from '../platform/crypto/is-same-secret.ts';

export type Claims = {
  /** `visit`: a browser in which a user gave a consent. `hint`: the sandbox user who is about to. */
  readonly use: 'code' | 'access' | 'refresh' | 'visit' | 'hint';
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
  /** Of a sandbox user. Absent: everything is drawn from the seed. */
  readonly person?: KnownPerson;
};

/** What the profile of a sandbox user says. */
type KnownPerson = {
  readonly zone: string;
  readonly sex: Sex | null;
  readonly ageYears: number | null;
  readonly heightCm: number | null;
  readonly weightKg: number | null;
  readonly maxBpm: number | null;
};

export type ClaimSigner = {
  sign(claims: Claims): string;
  /** Null: forged, of another use or provider, or expired. */
  open(text: string, expected: { use: Claims['use']; provider: string }, now: Date): Claims | null;
};

export type PersonHint = {
  readonly provider: string;
  readonly seed: string;
  readonly person: KnownPerson;
  readonly endsAt: Date;
};

/** For the parameter `login_hint` of the authorize endpoint. The same hint is always the same text. */
export function writeHint(key: Buffer, { provider, seed, person, endsAt }: PersonHint): string {
  const unused = { grant: '', client: '', scopes: [], generation: 0 };
  const endsMs = endsAt.getTime();
  return createClaimSigner(key).sign({ use: 'hint', provider, seed, person, sinceMs: 0, endsMs, ...unused });
}

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
