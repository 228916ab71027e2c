// Counts the samples of each device for a metric, decoding only blocks at the limits of the interval.
import type { MetricId } from '../../../domain/metrics/index.ts';
import { findStart } from '../../../domain/packed/sample-blocks/sample-columns.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { unpackBlock } from './block-payload.ts';
import type { InclusiveInterval } from './changed-interval.ts';
import { type OutlinedBlock, outlineBlocks } from './store.ts';

export type DeviceSamples = {
  readonly device: DeviceNumber;
  readonly count: number;
  /** The start of the first and of the last sample. */
  readonly firstMs: number;
  readonly lastMs: number;
};

/** Samples that start in [fromMs, toMs). Devices without samples are absent. */
export async function describeSamples(
  db: Queryable,
  user: UserHandle,
  metric: MetricId,
  fromMs: number,
  toMs: number,
): Promise<DeviceSamples[]> {
  const interval: InclusiveInterval = { fromMs, toMs: toMs - 1 };
  const outlines = await outlineBlocks(db, user, metric, interval);
  const described = new Map<DeviceNumber, DeviceSamples>();
  for (const outline of outlines) {
    const part = describeBlock(outline, interval);
    if (part.count > 0) described.set(part.device, join(described.get(part.device), part));
  }
  return [...described.values()];
}

function describeBlock({ payload, ...outline }: OutlinedBlock, { fromMs, toMs }: InclusiveInterval): DeviceSamples {
  const { device, count, firstMs, lastMs } = outline;
  if (payload === null) return { device, count, firstMs, lastMs };
  const { starts } = unpackBlock(payload);
  const inside = starts.subarray(findStart(starts, fromMs), findStart(starts, toMs + 1));
  return { device, count: inside.length, firstMs: inside[0] ?? 0, lastMs: inside.at(-1) ?? 0 };
}

/** Blocks are sorted by time. */
function join(before: DeviceSamples | undefined, next: DeviceSamples): DeviceSamples {
  if (before === undefined) return next;
  return { ...before, count: before.count + next.count, lastMs: next.lastMs };
}
