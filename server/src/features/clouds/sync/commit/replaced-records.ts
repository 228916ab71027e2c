// The stored records of a device that fetched pages replace or no longer contain.

import type { EpochMs } from '../../../../domain/records/records.ts';
import type { DeviceNumber } from '../../../../domain/tenancy.ts';
import { createZone, splitAtMidnights } from '../../../../domain/time/day.ts';
import type { Transaction } from '../../../../platform/db/database.ts';
import type { CloudProvider } from '../../../../providers/contract.ts';
import type { Batch, Deletion } from '../../../pipeline/ingest/index.ts';
import { listSessionKeys } from '../../../store/session-store/index.ts';
import type { UserHandle } from '../../../tenancy/user-core/index.ts';
import type { ReconcileWindow } from '../sync-task.ts';

/** Samples that start in it, daily values of its days, and sessions that overlap it. */
export async function listInWindow(
  tx: Transaction,
  user: UserHandle,
  device: DeviceNumber,
  { of, from, to }: ReconcileWindow,
): Promise<Deletion[]> {
  const [start, end] = [from as EpochMs, to as EpochMs];
  if (of === 'sleep' || of === 'workouts') {
    const kind = of === 'sleep' ? 'sleep' : 'workout';
    const keys = await listSessionKeys(tx, user, { kind, device }, { start, end });
    return keys.map((key) => ({ kind, key }));
  }
  const dates = splitAtMidnights(createZone(user.timezone), from, to).map(({ date }) => date);
  return of.flatMap((metric): Deletion[] => [
    { kind: 'samples', metric, start, end: (to - 1) as EpochMs },
    ...dates.map((date): Deletion => ({ kind: 'daily', metric, date })),
  ]);
}

/** For providers whose sleeps have no id: stored sleeps that overlap a reported one and are not reported themselves. */
export async function listReplacedSleeps(
  tx: Transaction,
  user: UserHandle,
  device: DeviceNumber,
  { replacesSleeps }: Pick<CloudProvider, 'replacesSleeps'>,
  { sleep }: Pick<Batch, 'sleep'>,
): Promise<Deletion[]> {
  if (replacesSleeps !== true) return [];
  const reported = new Set(sleep.map(({ key }) => key));
  const replaced = new Set<string>();
  for (const { start, end } of sleep)
    for (const key of await listSessionKeys(tx, user, { kind: 'sleep', device }, { start, end }))
      if (!reported.has(key)) replaced.add(key);
  return [...replaced].map((key) => ({ kind: 'sleep', key }));
}
