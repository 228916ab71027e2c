// Splits a large batch by time into parts of bounded work, so that other requests are served between parts.
// The result is the same as for the whole batch, because ingest does not depend on how data is split.

import type { MetricId } from '../../../domain/metrics/index.ts';
import { MAX_BLOCK_SAMPLES, type SampleColumns, sliceColumns } from '../../../domain/packed/sample-blocks/index.ts';
import { DAY_MS } from '../../../domain/time/durations.ts';
import type { Batch, Deletion } from './batch.ts';

/**
 * In microseconds of one core, roughly. Every part repeats some twenty statements and the month sheets of its days, so what nobody waits
 * for is split into fewer parts; other requests are served within a part too, wherever it yields.
 */
export const PART_COST = { ofUpload: 20_000, inBackground: 200_000 } as const;
const COST = {
  sample: 1,
  day: 120,
  session: 100,
  sessionDay: 900,
  point: 1,
  daily: 60,
  deletion: 2,
  deletedDay: 40,
} as const;
const MAX_CHUNK_DELETIONS = 5_000; // half a part
const MAX_CHUNK_SAMPLES = Math.min(PART_COST.ofUpload / COST.sample, MAX_BLOCK_SAMPLES);

/** Records of the batch that stay together. */
type Chunk = { readonly timeMs: number; readonly cost: number; addTo(part: Part): void };
type IndexRange = { from: number; to: number };
type Part = {
  readonly samples: Map<MetricId, IndexRange>;
  readonly daily: Batch['daily'][number][];
  readonly sleep: Batch['sleep'][number][];
  readonly workouts: Batch['workouts'][number][];
  readonly deletions: Deletion[];
};

/** A batch of ordinary size stays whole. */
export function splitBatch(batch: Batch, partCost: number = PART_COST.ofUpload): readonly Batch[] {
  const deletions = chunkDeletions(batch);
  const chunks = [...chunkSamples(batch), ...chunkRecords(batch)].sort((a, b) => a.timeMs - b.timeMs);
  const total = [...deletions, ...chunks].reduce((sum, { cost }) => sum + cost, 0);
  if (total <= partCost) return [batch];
  // Deletions come before all records, except those of a session that is sent again: they stay with the session.
  return [...fillParts(deletions, partCost), ...fillParts(chunks, partCost)].map((part) => toBatch(batch, part));
}

function fillParts(chunks: readonly Chunk[], partCost: number): Part[] {
  const parts: Part[] = [];
  let left = 0;
  for (const chunk of chunks) {
    if (chunk.cost > left || parts.length === 0) {
      parts.push({ samples: new Map(), daily: [], sleep: [], workouts: [], deletions: [] });
      left = partCost;
    }
    chunk.addTo(parts[parts.length - 1] as Part);
    left -= chunk.cost;
  }
  return parts;
}

function* chunkSamples({ samples }: Batch): Generator<Chunk> {
  for (const [metric, columns] of samples) {
    const { starts } = columns;
    for (let from = 0, to = 0; from < starts.length; from = to) {
      const day = dayOf(starts[from] as number);
      while (to < starts.length && to - from < MAX_CHUNK_SAMPLES && dayOf(starts[to] as number) === day) to += 1;
      const range = { from, to };
      yield {
        timeMs: starts[from] as number,
        cost: (to - from) * COST.sample + countDays(columns, range) * COST.day,
        addTo: (part) => addRange(part.samples, metric, range),
      };
    }
  }
}

function* chunkRecords({ daily, sleep, workouts, deletions }: Batch): Generator<Chunk> {
  const deletedKeys = new Map(deletions.flatMap((one) => ('key' in one ? [[`${one.kind} ${one.key}`, one]] : [])));
  const addDeletion = (part: Part, kind: string, key: string) => {
    const deletion = deletedKeys.get(`${kind} ${key}`);
    if (deletion !== undefined) part.deletions.push(deletion);
  };
  for (const value of daily)
    yield { timeMs: Date.parse(value.date), cost: COST.daily, addTo: (part) => part.daily.push(value) };
  const sleepCost = createSessionCost();
  for (const night of sleep) {
    yield {
      timeMs: night.start,
      cost: sleepCost(night.start) + (night.stages?.length ?? 0) * COST.point,
      addTo: (part) => {
        part.sleep.push(night);
        addDeletion(part, 'sleep', night.key);
      },
    };
  }
  const workoutCost = createSessionCost();
  for (const workout of workouts) {
    yield {
      timeMs: workout.start,
      cost:
        workoutCost(workout.start) +
        ((workout.heartRateSamples?.length ?? 0) + (workout.route?.length ?? 0)) * COST.point,
      addTo: (part) => {
        part.workouts.push(workout);
        addDeletion(part, 'workout', workout.key);
      },
    };
  }
}

/** Sessions of one day share its cost. In small parts, each would consolidate all sessions of the day again. */
function createSessionCost(): (startMs: number) => number {
  const days = new Set<number>();
  return (startMs) => {
    const known = days.size;
    days.add(dayOf(startMs));
    return COST.session + (days.size > known ? COST.sessionDay : 0);
  };
}

function chunkDeletions({ deletions, sleep, workouts }: Batch): Chunk[] {
  const sent = new Set([...sleep.map(({ key }) => `sleep ${key}`), ...workouts.map(({ key }) => `workout ${key}`)]);
  const others = deletions.filter((one) => !('key' in one && sent.has(`${one.kind} ${one.key}`)));
  return Map.groupBy(others, nameDay).values().toArray().flatMap(chunkDeletionsOfDay);
}

function chunkDeletionsOfDay(deletions: readonly Deletion[]): Chunk[] {
  const chunks: Chunk[] = [];
  for (let first = 0; first < deletions.length; first += MAX_CHUNK_DELETIONS) {
    const some = deletions.slice(first, first + MAX_CHUNK_DELETIONS);
    const isOfDay = some.some(({ kind }) => kind === 'samples' || kind === 'daily');
    const cost = some.length * COST.deletion + (isOfDay ? COST.deletedDay : 0);
    chunks.push({ timeMs: 0, cost, addTo: (part) => part.deletions.push(...some) });
  }
  return chunks;
}

/** Deletions that start on the same day share its cost. Later days of a long deletion are consolidated in groups. */
function nameDay(deletion: Deletion): string {
  if (deletion.kind === 'samples') return `${deletion.metric} ${dayOf(deletion.start)}`;
  return deletion.kind === 'daily' ? `${deletion.metric} ${deletion.date}` : deletion.kind;
}

function toBatch({ samples }: Batch, { samples: ranges, ...records }: Part): Batch {
  const slice = ([metric, { from, to }]: [MetricId, IndexRange]) =>
    [metric, sliceColumns(samples.get(metric) as SampleColumns, from, to)] as const;
  return { samples: new Map([...ranges].map(slice)), ...records };
}

/** Chunks of a metric are sorted by time, so those of one part are adjacent. */
function addRange(ranges: Map<MetricId, IndexRange>, metric: MetricId, { from, to }: IndexRange): void {
  const range = ranges.get(metric);
  if (range === undefined) ranges.set(metric, { from, to });
  else range.to = to;
}

/** Days to recompute: a sample may last into the following days. */
function countDays({ starts, ends }: SampleColumns, { from, to }: IndexRange): number {
  const first = dayOf(starts[from] as number);
  let last = first;
  if (ends !== null) for (let index = from; index < to; index += 1) last = Math.max(last, dayOf(ends[index] as number));
  return last - first + 1;
}

function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}
