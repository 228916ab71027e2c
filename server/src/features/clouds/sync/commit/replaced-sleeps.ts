// Earlier versions of reported sleeps, for providers whose sleeps have no id.
import type { DeviceNumber } from '../../../../domain/tenancy.ts';
import type { Transaction } from '../../../../platform/db/database.ts';
import type { CloudProvider } from '../../../../providers/contract.ts';
import type { Batch, Deletion } from '../../../pipeline/ingest/index.ts';
import { listSessionKeys } from '../../../store/session-store/index.ts';
import type { UserHandle } from '../../../tenancy/user-core/index.ts';

/** Stored sleeps that overlap a reported one and are not reported themselves. */
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
