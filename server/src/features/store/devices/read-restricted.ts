// The providers of a user whose terms restrict what may be done with their data.
import type { Services } from '../../../platform/services.ts';
import type { CloudProvider, UseRestriction } from '../../../providers/contract.ts';
import { CLOUD_PROVIDERS } from '../../../providers/registry.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { listSourceLabels } from './store.ts';

export type RestrictedProvider = {
  readonly provider: CloudProvider['id'];
  readonly restrictions: readonly UseRestriction[];
  /** The operator passes its data on nevertheless. */
  readonly isPassedOn: boolean;
};

/** Only providers that the user has data of, in the order of the catalog. */
export async function readRestricted(
  { db, settings }: Pick<Services, 'db' | 'settings'>,
  user: UserHandle,
): Promise<RestrictedProvider[]> {
  const used = new Set<string>((await listSourceLabels(db, user)).map(({ provider }) => provider));
  return CLOUD_PROVIDERS.flatMap(({ id, restrictions = [] }) => {
    if (restrictions.length === 0 || !used.has(id)) return [];
    return [{ provider: id, restrictions, isPassedOn: settings.passOnRestricted.has(id) }];
  });
}
