// A device's turn: its errands one after the other, until none is due, nothing more may be asked, or others should have theirs.
import type { Services } from '../../../../platform/services.ts';
import { openUser } from '../../../tenancy/user-core/index.ts';
import { readAccount } from '../../provider-accounts/index.ts';
import { openAppOf } from '../../provider-apps/index.ts';
import { tellChanges } from '../commit/gathered-changes.ts';
import { type Errand, SILENT_KINDS, type SyncedDevice, URGENCY } from '../errand.ts';
import { isOfWindow } from '../fetch/fetch-window.ts';
import type { SyncTurn } from '../fetch/sync-turn.ts';
import { planPoll, pollIntervalMs } from '../plan/plan-poll.ts';
import { addErrands, hasErrands, nextErrands } from '../store.ts';
import { countDevices } from './device-counts.ts';
import { handleTrouble } from './handle-trouble.ts';
import { type OtherErrand, runErrand } from './run-errand.ts';
import { runWindows, type Stopped } from './run-windows.ts';
import { movePoll, noteSuccess, postponeDevice, readSyncedDevice, releaseDevice, renewClaim } from './store.ts';

/** More than any errand takes; whoever was killed is waited for that long. */
export const CLAIM_MS = 5 * 60_000;
const TURN_MS = 30_000;
const RENEW_AFTER_MS = 10_000;
const LOOKED_AHEAD = 32;
const UNUSABLE_MS = 3_600_000; // of an application that is gone, or a person who is being erased

export async function runDevice(
  services: Services,
  device: SyncedDevice,
  isStopping: () => boolean = () => false,
): Promise<void> {
  const { db, clock } = services;
  const turn = await openTurn(services, device);
  if (turn === null) {
    await tellChanges(services, device);
    return postponeDevice(db, device, new Date(clock.now().getTime() + UNUSABLE_MS));
  }
  try {
    await takeTurn(turn, isStopping);
  } finally {
    // Not released before it is told: else it may be that no turn comes for long.
    await tellChanges(services, device);
    await db.transaction((tx) => releaseDevice(tx, device));
  }
}

async function openTurn(services: Services, device: SyncedDevice): Promise<SyncTurn | null> {
  const app = await openAppOf(services, device);
  const user = await openUser(services.db, device.tenant, device.userId);
  return app === null || user === null ? null : { services, app, device, zone: user.timezone };
}

async function takeTurn(turn: SyncTurn, isStopping: () => boolean): Promise<void> {
  const { services } = turn;
  const { db, clock } = services;
  let claimedMs = performance.now();
  const endMs = claimedMs + TURN_MS;
  await poll(turn);
  let { device } = turn;
  while (!isStopping() && performance.now() < endMs) {
    const now = clock.now();
    const canAsk = device.quietUntil === null || device.quietUntil <= now;
    const errands = await nextErrands(db, device, { now, canAsk, limit: LOOKED_AHEAD });
    if (errands.length === 0) return;
    if (performance.now() - claimedMs > RENEW_AFTER_MS) {
      await renewClaim(db, device, new Date(now.getTime() + CLAIM_MS));
      claimedMs = performance.now();
    }
    const { isAnswered, stopped } = await runNext({ ...turn, device }, errands, isStopping);
    if (isAnswered && device.failures > 0) {
      await noteSuccess(db, device);
      device = { ...device, failures: 0, quietUntil: null, unauthorizedSince: null };
    }
    if (stopped !== null) await handleTrouble({ ...turn, device }, stopped.errand, stopped.trouble);
    if (stopped !== null || hasFollowUps(turn)) {
      const changed = stopped?.trouble.trouble === 'gone' ? null : await readSyncedDevice(db, device);
      if (changed === null) return;
      device = changed;
    }
  }
}

type NextRun = { readonly isAnswered: boolean; readonly stopped: Stopped | null };

/** Windows that follow each other go in together. */
async function runNext(turn: SyncTurn, errands: readonly Errand[], isStopping: () => boolean): Promise<NextRun> {
  const end = errands.findIndex((errand) => !isOfWindow(errand));
  const windows = errands.slice(0, end === -1 ? errands.length : end).filter(isOfWindow);
  if (windows.length > 0) {
    const { arrived, stopped } = await runWindows(turn, windows, isStopping);
    return { isAnswered: arrived > 0, stopped };
  }
  const errand = errands[0] as OtherErrand;
  const trouble = await runErrand(turn, errand);
  const isAnswered = trouble === null && !SILENT_KINDS.includes(errand.task.kind);
  return { isAnswered, stopped: trouble && { errand, trouble } };
}

/** Some of them may have turned out not to be shared. */
function hasFollowUps({ app }: SyncTurn): boolean {
  return app.provider.resources.some(({ isFollowUp }) => isFollowUp === true);
}

/** The errands of a poll that are left from the last one are enough. */
async function poll({ services, app, device, zone }: SyncTurn): Promise<void> {
  const { db, clock, settings } = services;
  const now = clock.now();
  if (device.nextPollAt === null || device.nextPollAt > now) return;
  const devices = await countDevices(services, app);
  const next = new Date(now.getTime() + pollIntervalMs(app.provider, devices, Math.random()));
  const stored = await readAccount(db, device, device.deviceId);
  if (stored === null || (await hasErrands(db, device, URGENCY.poll))) return movePoll(db, device, next, null);
  const sharing = { scopes: stored.account.scopes, leftOut: device.leftOut };
  const facts = { zone, now, polledTo: device.polledTo, maxDays: settings.backfillDays };
  await db.transaction(async (tx) => {
    await addErrands(tx, device, planPoll(app.provider, sharing, facts), now);
    await movePoll(tx, device, next, now);
  });
}
