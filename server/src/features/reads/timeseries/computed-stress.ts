// Stress that the service computes for quarter hours awake and still (gap G-123). It ranks after all devices, so it only fills quarter
// hours in which no device has a value.
import type { MetricId } from '../../../domain/metrics/index.ts';
import { BLOCK_LENGTH_MS, type SampleColumns } from '../../../domain/packed/sample-blocks/index.ts';
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

type ComputedSamples = {
  /** Adds the computed samples to the stored counts. */
  addCounts(counts: Counts): Counts;
  /** Ranked after the devices. */
  listContributors(metric: MetricId): readonly Contributor[];
};

const STRESS = 'stress_score' as MetricId;
const NONE: ComputedSamples = { addCounts: (counts) => counts, listContributors: () => [] };

/** Reads the whole range at once: a day has at most 96 values. */
export async function readComputedSamples(
  db: Queryable,
  user: UserHandle,
  { metrics, range }: Pick<TimeseriesQuery, 'metrics' | 'range'>,
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

/** By time, each quarter hour once: during a change of time zone, two days can contain the same quarter hour. */
function toColumns(computed: readonly ComputedStress[], unit: string): SampleColumns {
  const known = [...new Map(computed)].sort(([a], [b]) => a - b);
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
    const beginMs = Math.floor(start / BLOCK_LENGTH_MS) * BLOCK_LENGTH_MS;
    blocks.set(beginMs, (blocks.get(beginMs) ?? 0) + 1);
  }
  return [...blocks].sort(([a], [b]) => a - b).map(([beginMs, count]) => ({ beginMs, count }));
}
