// One block of a sample buffer, as stored and as changed.
import type { MetricId } from '../../../domain/metrics/index.ts';
import type { SampleColumns } from '../../../domain/packed/sample-blocks/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { unpackBlock } from './block-payload.ts';

export type BlockKey = { readonly metric: MetricId; readonly block: number; readonly device: DeviceNumber };

export type StoredBlock = BlockKey & { readonly revision: number; readonly payload: Buffer };

export type BlockEntry = BlockKey & {
  /** The revision of the stored row; 0 where there is none. */
  revision: number;
  /** The stored bytes, until the block is decoded. */
  payload: Buffer | null;
  /** Null, with a null payload: the block has no samples. */
  columns: SampleColumns | null;
  isDirty: boolean;
};

export function openEntry({ metric, block, device }: BlockKey, stored: StoredBlock | null): BlockEntry {
  const { revision = 0, payload = null } = stored ?? {};
  return { metric, block, device, revision, payload, columns: null, isDirty: false };
}

export function readEntry(entry: BlockEntry): SampleColumns | null {
  if (entry.payload !== null) changeEntry(entry, unpackBlock(entry.payload), entry.isDirty);
  return entry.columns;
}

export function changeEntry(entry: BlockEntry, columns: SampleColumns | null, isDirty = true): void {
  entry.payload = null;
  entry.columns = columns;
  entry.isDirty = isDirty;
}

export function keyText({ metric, block, device }: BlockKey): string {
  return `${metric} ${block} ${device}`;
}
