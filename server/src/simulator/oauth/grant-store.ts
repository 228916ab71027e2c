// State that a token cannot contain: used codes, rotated refresh tokens, revocations. A restart loses it: a used code
// or an old refresh token is then valid again until it expires.
import { createBoundedMap } from '../../domain/bounded-map.ts';
import type { RefreshRule } from './oauth-dialect.ts';

const MAX_GRANTS = 20_000;

type Grant = {
  isCodeUsed: boolean;
  isRevoked: boolean;
  generation: number;
  rotatedAtMs: number;
  /** An access token of this generation was used. */
  isUsed: boolean;
};

export type GrantStore = {
  /** False: the code was used before, and all tokens issued for it are revoked. */
  useCode(grant: string): boolean;
  revoke(grant: string): void;
  isRevoked(grant: string): boolean;
  /** The generation of the new pair. Null: the refresh token is no longer valid. */
  refresh(grant: string, generation: number, rule: RefreshRule, now: Date): number | null;
  /** False: a later pair has replaced it. */
  useAccess(grant: string, generation: number, rule: RefreshRule | null): boolean;
};

export function createGrantStore(): GrantStore {
  const grants = createBoundedMap<string, Grant>(MAX_GRANTS);
  const open = (id: string, generation = 0): Grant => {
    const grant = grants.get(id) ?? {
      isCodeUsed: false,
      isRevoked: false,
      generation,
      rotatedAtMs: Number.NEGATIVE_INFINITY,
      isUsed: false,
    };
    grants.set(id, grant);
    return grant;
  };
  return {
    useCode(id) {
      const grant = open(id);
      if (grant.isCodeUsed) grant.isRevoked = true;
      const isFirst = !grant.isCodeUsed;
      grant.isCodeUsed = true;
      return isFirst;
    },
    revoke: (id) => {
      open(id).isRevoked = true;
    },
    isRevoked: (id) => grants.get(id)?.isRevoked ?? false,
    refresh(id, generation, rule, now) {
      const grant = open(id, generation);
      if (!rule.isRotating) return generation;
      if (generation < grant.generation) return isInGrace(grant, generation, rule, now) ? grant.generation : null;
      grant.generation = generation + 1;
      grant.rotatedAtMs = now.getTime();
      grant.isUsed = false;
      return grant.generation;
    },
    useAccess(id, generation, rule) {
      const grant = open(id, generation);
      if (generation === grant.generation) grant.isUsed = true;
      return generation >= grant.generation || rule === null || !rule.endsAccess;
    },
  };
}

function isInGrace(grant: Grant, generation: number, { graceSeconds = 0 }: RefreshRule, now: Date): boolean {
  if (generation !== grant.generation - 1 || grant.isUsed) return false;
  return now.getTime() - grant.rotatedAtMs < graceSeconds * 1_000;
}
