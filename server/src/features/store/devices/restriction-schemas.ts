// How the API presents restrictions: of the providers of a user, and of each provider in the catalog.
import { nullable, oneOfWords } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Settings } from '../../../platform/services.ts';
import { type CloudProvider, RESTRICTION_KINDS, type UseRestriction } from '../../../providers/contract.ts';
import type { RestrictedProvider } from './read-restricted.ts';

const restrictionSchema = Type.Object(
  {
    kind: oneOfWords(RESTRICTION_KINDS, {
      description:
        '`owner_only`: shown to the person alone; `no_ai`: not for models; `no_resale`: not passed on in bulk; `retention`: kept for `days` at most; `delay`: newer data is not delivered',
    }),
    description: Type.String(),
    days: nullable(Type.Number()),
  },
  { title: 'UseRestriction' },
);

function presentRestriction({ kind, description, days }: UseRestriction) {
  return { kind, description, days: days ?? null };
}

export const limitFields = {
  restrictions: Type.Array(restrictionSchema, {
    description: 'what its terms forbid; empty if nothing is known to be forbidden',
  }),
  passed_on: Type.Boolean({
    description: 'the operator passes its data on in exports and to assistants although its terms restrict that',
  }),
  unconfirmed: Type.Array(
    Type.Object({ part: Type.String(), reason: Type.String(), enabled: Type.Boolean() }, { title: 'UnconfirmedPart' }),
    { description: 'parts of the connector that no public source confirms; off unless the operator enables them' },
  ),
};

/** What limits the use of a provider: its terms, and what the operator enabled. */
export function presentLimits(
  { id, restrictions = [], unconfirmed = [] }: Pick<CloudProvider, 'id' | 'restrictions' | 'unconfirmed'>,
  { passOnRestricted, unconfirmedParts }: Pick<Settings, 'passOnRestricted' | 'unconfirmedParts'>,
) {
  return {
    restrictions: restrictions.map(presentRestriction),
    passed_on: restrictions.length > 0 && passOnRestricted.has(id),
    unconfirmed: unconfirmed.map(({ part, reason }) => ({
      part,
      reason,
      enabled: unconfirmedParts.get(id)?.has(part) ?? false,
    })),
  };
}

export const restrictedProvider = Type.Object(
  {
    provider: Type.String(),
    restrictions: Type.Array(restrictionSchema),
    passed_on: Type.Boolean({ description: 'the operator passes the data on nevertheless' }),
  },
  { title: 'RestrictedProvider' },
);

export function presentRestricted({ provider, restrictions, isPassedOn }: RestrictedProvider) {
  return { provider, restrictions: restrictions.map(presentRestriction), passed_on: isPassedOn };
}
