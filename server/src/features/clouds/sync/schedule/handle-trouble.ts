// What follows when an errand is not done: wait, try again later, leave out, set aside, or ask the person.
import type { Services } from '../../../../platform/services.ts';
import { recordEvent } from '../../../notify/events/index.ts';
import { awaitReauthorization } from '../../../store/devices/index.ts';
import { advanceRevision, changeUser } from '../../../tenancy/user-core/index.ts';
import { refuseAccount } from '../../provider-accounts/index.ts';
import { type Errand, type SyncedDevice, URGENCY } from '../errand.ts';
import type { SyncTurn, Trouble } from '../fetch/sync-turn.ts';
import { recordProgress } from '../plan/backfill-progress.ts';
import { leaveOut, postponeErrand, postponeFrom } from '../store.ts';
import { beQuiet, noteTrouble, stopAsking } from './store.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Twice as long each time, up to an hour, for as long as it takes: an outage of days loses nothing. */
const FIRST_QUIET_MS = 10 * SECOND_MS;
const LONGEST_QUIET_MS = HOUR_MS;
/** What is wrong is wrong for others than us to mend; after about an hour and a half it is set aside. */
const MAX_ATTEMPTS = 5;
const FIRST_RETRY_MS = MINUTE_MS;
const RETRY_FACTOR = 4;
/** Where a token cannot be refreshed nothing tells a mistake of the provider's from a person who has left, but time. */
const UNAUTHORIZED_LIMIT_MS = DAY_MS;
const BRIEF_WAIT_MS = 5 * SECOND_MS;
const JITTER = 0.5;

export async function handleTrouble(turn: SyncTurn, errand: Errand, trouble: Trouble): Promise<void> {
  switch (trouble.trouble) {
    case 'wait':
      return wait(turn, trouble);
    case 'unavailable':
      return rest(turn, false);
    case 'unauthorized':
      return isRefusalByNow(turn) ? awaitPerson(turn, null) : rest(turn, true);
    case 'refused':
      return awaitPerson(turn, trouble.tokenTurn);
    case 'forbidden':
      return leaveResourceOut(turn, errand, trouble.resource);
    case 'wrong':
      return retryOrSetAside(turn, errand, trouble.reason);
    case 'gone':
      return; // nothing more is asked in this turn
  }
}

/** A budget that is spent for history has something left for what the provider has just told of. */
async function wait(turn: SyncTurn, { until, onlyFrom = URGENCY.notice }: Extract<Trouble, { trouble: 'wait' }>) {
  const { services, device } = turn;
  const end = until ?? later(turn, BRIEF_WAIT_MS);
  if (onlyFrom === URGENCY.notice) await beQuiet(services.db, device, end);
  else await postponeFrom(services.db, device, onlyFrom, end);
}

async function rest(turn: SyncTurn, isUnauthorized: boolean): Promise<void> {
  const { services, device } = turn;
  const lengthMs = Math.min(FIRST_QUIET_MS * 2 ** Math.min(device.failures, 20), LONGEST_QUIET_MS);
  const quietUntil = later(turn, lengthMs);
  await noteTrouble(services.db, device, { quietUntil, isUnauthorized, now: services.clock.now() });
  services.log.info(
    { provider: device.provider, failures: device.failures + 1, isUnauthorized },
    'a provider does not answer and will be asked again',
  );
}

function isRefusalByNow({ services, app, device: { unauthorizedSince } }: SyncTurn): boolean {
  if (app.provider.oauth.refreshRequest !== null || unauthorizedSince === null) return false;
  return services.clock.now().getTime() - unauthorizedSince.getTime() > UNAUTHORIZED_LIMIT_MS;
}

function awaitPerson({ services, device }: SyncTurn, tokenTurn: number | null): Promise<void> {
  return awaitPersonOf(services, { ...device, tokenTurn });
}

type RefusedDevice = Pick<SyncedDevice, 'userId' | 'deviceId' | 'tenant'> & {
  /** The pair that was refused; null: the one there is. With a newer one it is not refused. */
  readonly tokenTurn: number | null;
};

/** The provider has refused for good: the device waits for the person, and whoever follows is told. */
export async function awaitPersonOf(services: Services, device: RefusedDevice): Promise<void> {
  const now = services.clock.now();
  await changeUser(services, device.tenant, device.userId, async (tx, locked) => {
    if (locked === null) return;
    const user = locked.handle;
    if (!(await refuseAccount(tx, device, now))) return;
    await stopAsking(tx, device);
    if (!(await awaitReauthorization(tx, user, device.deviceId))) return;
    await recordEvent(tx, user, { type: 'device.failed', deviceId: device.deviceId }, now);
    await advanceRevision(tx, user);
  });
}

async function leaveResourceOut({ services, device }: SyncTurn, errand: Errand, resource: string): Promise<void> {
  services.log.info({ provider: device.provider, resource }, 'a person does not share a resource: it is left out');
  await changeUser(services, device.tenant, device.userId, async (tx, locked) => {
    if (locked === null) return;
    await leaveOut(tx, device, resource);
    await recordProgress(tx, locked.handle, errand, services.clock.now());
  });
}

async function retryOrSetAside(turn: SyncTurn, errand: Errand, reason: string): Promise<void> {
  const { services, device } = turn;
  const { task } = errand;
  const attempts = errand.attempts + 1;
  const isEnough = attempts >= MAX_ATTEMPTS;
  const now = services.clock.now();
  const dueAt = later(turn, FIRST_RETRY_MS * RETRY_FACTOR ** errand.attempts);
  services.log[isEnough ? 'error' : 'warn'](
    { provider: device.provider, kind: task.kind, resource: 'resource' in task ? task.resource : null, reason },
    isEnough ? 'an errand is set aside' : 'an errand failed and will be tried again',
  );
  await changeUser(services, device.tenant, device.userId, async (tx, locked) => {
    await postponeErrand(tx, errand, { dueAt, attempts, setAsideAt: isEnough ? now : null });
    if (isEnough && locked !== null) await recordProgress(tx, locked.handle, errand, now);
  });
}

function later({ services }: SyncTurn, ms: number): Date {
  return new Date(services.clock.now().getTime() + ms * (1 + JITTER * Math.random()));
}
