// Stress as the service itself tells it (gap G-123): of quarter hours awake and still. It is a contributor like the devices, the
// last of them, so that it speaks where no device does.
import type { MetricId } from '../../../domain/metrics/index.ts';
import { BLOCK_SPAN_MS, type SampleColumns } from '../../../domain/packed/sample-blocks/index.ts';
import type { ComputedStress } from '../../../domain/scores/index.ts';
import { QUARTER_HOUR_MS } from '../../../domain/time/quarter-hours.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { readComputedStress } from '../../pipeline/scoring/index.ts';
import { type BlockCount, normalizedSeries } from '../../store/samples/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { COMPUTED_PROVIDER } from '../shared/index.ts';
import type { Contributor } from './canonical-samples.ts';
import type { TimeseriesQuery } from './query.ts';

type Counts = ReadonlyMap<MetricId, readonly BlockCount[]>;

export type ComputedSamples = {
  /** What is there to read, with what is computed. */
  addCounts(counts: Counts): Counts;
  /** After those of the devices. */
  listContributors(metric: MetricId): readonly Contributor[];
};

const STRESS = 'stress_score' as MetricId;
const NONE: ComputedSamples = { addCounts: (counts) => counts, listContributors: () => [] };

/** All of the range at once: at most 96 numbers a day. */
export async function readComputedSamples(
  db: Queryable,
  user: UserHandle,
  { metrics, range }: TimeseriesQuery,
): Promise<ComputedSamples> {
  const metric = metrics.find(({ id }) => id === STRESS);
  if (metric === undefined) return NONE;
  const columns = toColumns(await readComputedStress(db, user, range.from, range.to), metric.unit);
  if (columns.starts.length === 0) return NONE;
  const device = { provider: COMPUTED_PROVIDER, id: null };
  const contributor = { device, columns, series: normalizedSeries(metric, columns) };
  return {
    addCounts: (counts) => new Map([...counts, [STRESS, joinCounts(counts.get(STRESS) ?? [], columns)]]),
    listContributors: (id) => (id === STRESS ? [contributor] : []),
  };
}

/** By time, each quarter hour once: while days are moving to another zone two of them can tell it. */
function toColumns(reported: readonly ComputedStress[], unit: string): SampleColumns {
  const known = [...new Map(reported)].sort(([a], [b]) => a - b);
  return {
    starts: Float64Array.from(known, ([quarter]) => quarter * QUARTER_HOUR_MS),
    ends: null,
    values: Float64Array.from(known, ([, stress]) => stress),
    runs: [{ count: known.length, unit, offsetMinutes: 0, method: 'automatic' }],
  };
}

function joinCounts(stored: readonly BlockCount[], { starts }: SampleColumns): BlockCount[] {
  const blocks = new Map(stored.map(({ beginMs, count }) => [beginMs, count]));
  for (const start of starts) {
    const beginMs = Math.floor(start / BLOCK_SPAN_MS) * BLOCK_SPAN_MS;
    blocks.set(beginMs, (blocks.get(beginMs) ?? 0) + 1);
  }
  return [...blocks].sort(([a], [b]) => a - b).map(([beginMs, count]) => ({ beginMs, count }));
}
