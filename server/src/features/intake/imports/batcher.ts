// Collects records into batches of one source, each within the limits of an upload. The same file always makes the same
// batches, so that an interrupted import can continue after the last batch that was stored.
import { DAY_MS } from '../../../domain/time/durations.ts';
import type { FilePosition, ImportItems, ImportList, ImportSource } from './import-sink.ts';

export type ImportBatch = {
  readonly source: ImportSource;
  readonly items: { readonly [List in ImportList]: ImportItems[List][] };
  readonly positions: { readonly [List in ImportList]: FilePosition[] };
};

type Batcher = {
  add<List extends ImportList>(source: ImportSource, list: List, item: ImportItems[List], position: FilePosition): void;
  /** Full batches, in order. They are removed. */
  take(): ImportBatch[];
  hasFull(): boolean;
  /** All remaining records. */
  finish(): ImportBatch[];
};

type Collecting = ImportBatch & {
  bytes: number;
  /** Metric and UTC day, because each of them is computed again. */
  readonly days: Set<string>;
  midnights: number;
  lastMetric: string;
  lastDay: string;
};

/** A quarter of the size limit of an upload; one more item may come on top. */
const MAX_BATCH_BYTES = 2_000_000;
/** Of all sources together: bounds the memory. */
const MAX_PENDING_BYTES = 8_000_000;
/** Below the limits of an upload (upload-limits.ts), to keep its transaction short. */
const MAX_METRIC_DAYS = 2_500;
const MAX_MIDNIGHTS = 15_000;
const MAX_SESSIONS = 1_000;
const MAX_DAILY = 10_000;

/** Approximate bytes of JSON. */
const SAMPLE_BYTES = 150;
const SESSION_BYTES = 600;
const STAGE_BYTES = 110;
const HEART_RATE_BYTES = 60;
const DATE_LENGTH = 10;

export function createBatcher(): Batcher {
  const pending = new Map<ImportSource, Collecting>();
  const full: ImportBatch[] = [];
  let pendingBytes = 0;
  const close = (batch: Collecting) => {
    pending.delete(batch.source);
    pendingBytes -= batch.bytes;
    full.push(batch);
  };
  return {
    add(source, list, item, position) {
      let batch = pending.get(source);
      if (batch === undefined) {
        batch = openBatch(source);
        pending.set(source, batch);
      }
      (batch.items[list] as unknown[]).push(item);
      batch.positions[list].push(position);
      const bytes = sizeOf(list, item);
      batch.bytes += bytes;
      pendingBytes += bytes;
      if (list === 'samples') countDays(batch, item as ImportItems['samples']);
      if (isFull(batch)) close(batch);
      else if (pendingBytes >= MAX_PENDING_BYTES) close(largestOf(pending));
    },
    take: () => full.splice(0),
    hasFull: () => full.length > 0,
    finish() {
      for (const batch of [...pending.values()]) close(batch);
      return full.splice(0);
    },
  };
}

function openBatch(source: ImportSource): Collecting {
  return {
    source,
    items: { samples: [], daily: [], sleep: [], workouts: [] },
    positions: { samples: [], daily: [], sleep: [], workouts: [] },
    bytes: 0,
    days: new Set(),
    midnights: 0,
    lastMetric: '',
    lastDay: '',
  };
}

function isFull({ bytes, days, midnights, items }: Collecting): boolean {
  return (
    bytes >= MAX_BATCH_BYTES ||
    days.size >= MAX_METRIC_DAYS ||
    midnights >= MAX_MIDNIGHTS ||
    items.sleep.length >= MAX_SESSIONS ||
    items.workouts.length >= MAX_SESSIONS ||
    items.daily.length >= MAX_DAILY
  );
}

function largestOf(pending: ReadonlyMap<ImportSource, Collecting>): Collecting {
  return [...pending.values()].reduce((largest, batch) => (batch.bytes > largest.bytes ? batch : largest));
}

function sizeOf(list: ImportList, item: ImportItems[ImportList]): number {
  if (list === 'samples' || list === 'daily') return SAMPLE_BYTES;
  const { stages } = item as ImportItems['sleep'];
  const { heart_rate: heartRate } = item as ImportItems['workouts'];
  const rates = list === 'workouts' ? (heartRate?.samples?.length ?? 0) : 0;
  return SESSION_BYTES + (stages?.length ?? 0) * STAGE_BYTES + rates * HEART_RATE_BYTES;
}

/** Neighbours are usually of the same metric and day. The offset hardly matters: the limits have room. */
function countDays(batch: Collecting, { metric, start, end }: ImportItems['samples']): void {
  const day = start.slice(0, DATE_LENGTH);
  if (day !== batch.lastDay || metric !== batch.lastMetric) {
    batch.days.add(`${metric} ${day}`);
    batch.lastDay = day;
    batch.lastMetric = metric;
  }
  if (end === undefined || end.startsWith(day)) return;
  const [from, to] = [Date.parse(day), Date.parse(end.slice(0, DATE_LENGTH))];
  if (!(to > from) || to - from > MAX_MIDNIGHTS * DAY_MS) return;
  batch.midnights += (to - from) / DAY_MS;
  for (let ms = from + DAY_MS; ms <= to; ms += DAY_MS)
    batch.days.add(`${metric} ${new Date(ms).toISOString().slice(0, DATE_LENGTH)}`);
}
