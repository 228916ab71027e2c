// What the terms of providers forbid. Pure.
import type { CloudProvider, UseRestriction } from './contract.ts';

type RestrictionKind = UseRestriction['kind'];

/** `export`: files for the customer. `assistant`: answers that a model reads. */
const FORBIDDING = {
  export: ['owner_only', 'no_resale'],
  assistant: ['no_ai'],
} as const satisfies Record<string, readonly RestrictionKind[]>;

export function forbids(use: keyof typeof FORBIDDING, kind: RestrictionKind): boolean {
  const kinds: readonly RestrictionKind[] = FORBIDDING[use];
  return kinds.includes(kind);
}

/** Days that payloads of a provider may be kept as received. Null: its terms set no limit. */
export function retentionDaysOf({ restrictions = [] }: Pick<CloudProvider, 'restrictions'>): number | null {
  const limits = restrictions.flatMap(({ kind, days }) => (kind === 'retention' && days !== undefined ? [days] : []));
  return limits.length === 0 ? null : Math.min(...limits);
}
