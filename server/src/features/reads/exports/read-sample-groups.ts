// The consolidated samples of a user, as columns.

import { createRules } from '../../../domain/consolidate/consolidation-rules.ts';
import { METRICS } from '../../../domain/metrics/index.ts';
import { listSourceDevices } from '../../store/devices/index.ts';
import type { DateRange } from '../shared/index.ts';
import { listCanonicalSamples, type SampleGroup } from '../timeseries/index.ts';
import type { ExportSource } from './export-source.ts';
import { splitRange } from './split-range.ts';

/** The plan of a year and its computed stress take a few megabytes. */
const DAYS_PER_PART = 366;

export async function* readSampleGroups(source: ExportSource, range: DateRange): AsyncGenerator<SampleGroup> {
  const { db, user } = source;
  const metrics = METRICS.filter((metric) => metric.samples !== 'no' && source.isWanted(metric));
  if (metrics.length === 0) return;
  const devices = await listSourceDevices(db, user);
  const { isEnabled } = createRules(user.consolidation);
  const isRead: typeof isEnabled = (metric, provider) => isEnabled(metric, provider) && !source.excluded.has(provider);
  for (const part of splitRange(range, DAYS_PER_PART))
    yield* listCanonicalSamples(
      { db, user, devices, isEnabled: isRead, hasComputed: source.excluded.size === 0 },
      { metrics, range: part, bucketMs: null },
    );
}
