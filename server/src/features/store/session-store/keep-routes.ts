// The only place that decides whether routes and laps of phones, clouds, imports and replays are stored.
import type { Transaction } from '../../../platform/db/database.ts';
import { keepsRoutes } from '../../tenancy/accounts/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { PreparedSession } from './prepare-session.ts';

type KeptRoutes = { readonly workouts: readonly PreparedSession[]; readonly droppedRoutes: number };

/**
 * The caller holds the user's lock. The setting is read under it, so that nothing is stored after the job that removes the routes of
 * the user (features/operator/route-removal).
 */
export async function keepRoutes(
  tx: Transaction,
  user: UserHandle,
  workouts: readonly PreparedSession[],
): Promise<KeptRoutes> {
  const withRoute = workouts.filter(({ route }) => route !== null).length;
  if (withRoute === 0 || (await keepsRoutes(tx, user.tenant))) return { workouts, droppedRoutes: 0 };
  return { workouts: workouts.map((workout) => ({ ...workout, route: null })), droppedRoutes: withRoute };
}
