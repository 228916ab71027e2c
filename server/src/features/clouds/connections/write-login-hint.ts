// In the sandbox the simulated provider shows the same person as the user's other devices.
import type { Services } from '../../../platform/services.ts';
import { readKnownPerson } from '../../sandbox/sandbox-users/index.ts';
import { listDevices } from '../../store/devices/index.ts';
import { openUser } from '../../tenancy/user-core/index.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { type AuthorizationSteps, listAuthorizationsOfUser } from './store.ts';

/** Null: a real provider, or a second account, which the simulator creates. */
export async function writeLoginHint(
  { clock, db, simulator }: Pick<Services, 'clock' | 'db' | 'simulator'>,
  { tenant, userId, deviceId, provider, expiresAt: endsAt }: AuthorizationRequest,
): Promise<string | null> {
  const user = tenant.environment === 'sandbox' ? await openUser(db, tenant, userId) : null;
  if (user === null) return null;
  const now = clock.now();
  const devices = (await listDevices(db, user, now)).filter((device) => device.provider === provider);
  if (devices.some(({ status }) => status === 'active')) return null;
  const ids = new Set(devices.map(({ id }) => id));
  const open = (await listAuthorizationsOfUser(db, user)).filter(
    (request) => ids.has(request.deviceId) && request.finishedAt === null && request.expiresAt > now,
  );
  if (firstAtProvider(open) !== deviceId) return null;
  const person = await readKnownPerson(db, user, now);
  return simulator.writeHint({ provider, seed: userId, person, endsAt });
}

/** If the user opened several links, only one of them connects the account of the same person. */
function firstAtProvider(requests: readonly AuthorizationSteps[]): AuthorizationSteps['deviceId'] | null {
  const times = requests.flatMap(({ deviceId, decidedAt }) => (decidedAt === null ? [] : [{ deviceId, decidedAt }]));
  times.sort((a, b) => a.decidedAt.getTime() - b.decidedAt.getTime());
  return times[0]?.deviceId ?? null;
}
