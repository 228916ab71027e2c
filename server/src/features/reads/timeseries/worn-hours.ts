// Evidence that devices were worn, as the merge of days asks for it (features/pipeline/ingest/worn-hours.ts does so for daily values).

import { listHours, needsWornHours } from '../../../domain/consolidate/index.ts';
import { getMetricOrThrow, type Metric, type MetricId } from '../../../domain/metrics/index.ts';
import { placeByTime } from '../../../domain/packed/sample-blocks/index.ts';
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Day, Zone } from '../../../domain/time/day.ts';
import { sumQuarterHours } from '../../../domain/time/quarter-hours.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { listSourceDevices } from '../../store/devices/index.ts';
import { readSamples, type SampleRequest } from '../../store/samples/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { Contributor } from './chosen-samples.ts';

export type WornHours = (metric: MetricId, device: DeviceId | null, date: LocalDate) => ReadonlySet<number> | undefined;
type ContestedDays = ReadonlyMap<LocalDate, ReadonlySet<MetricId>>;

const HEART_RATE = 'heart_rate' as MetricId;

/** Days on which a zero of one device stands against the count of another. The requests are for whole days. */
export function findContestedDays(
  requests: readonly SampleRequest[],
  zone: Zone,
  listContributors: (metric: Metric) => readonly Contributor[],
): ContestedDays {
  const contested = new Map<LocalDate, Set<MetricId>>();
  for (const { metric, fromMs, toMs } of requests) {
    const contributors = listContributors(getMetricOrThrow(metric));
    if (contributors.length < 2 || !contributors.some(({ series }) => series.values.includes(0))) continue;
    for (let day = zone.dayAt(fromMs); day.start < toMs; day = zone.dayAt(day.end))
      if (isContested(contributors, day)) contested.getOrInsertComputed(day.date, () => new Set()).add(metric);
  }
  return contested;
}

function isContested(contributors: readonly Contributor[], { start, end }: Day): boolean {
  return needsWornHours(
    contributors.map(({ series, columns }) => ({
      quarterHours: sumQuarterHours(series, start, end, placeByTime(columns, start, end)),
    })),
  );
}

/** Day by day, so that no more heart rates are held at a time. */
export async function readWornHours(
  db: Queryable,
  user: UserHandle,
  contested: ContestedDays,
  zone: Zone,
): Promise<WornHours> {
  if (contested.size === 0) return () => undefined;
  const devices = await listSourceDevices(db, user);
  const hours = new Map<string, ReadonlySet<number>>();
  for (const date of contested.keys()) {
    const { start, end } = zone.dayOf(date);
    const heartRates = (await readSamples(db, user, [{ metric: HEART_RATE, fromMs: start, toMs: end }])).get(
      HEART_RATE,
    );
    for (const { id, number } of devices)
      hours.set(`${id} ${date}`, listHours(heartRates?.get(number)?.starts ?? [], start, end));
  }
  return (metric, device, date) => (contested.get(date)?.has(metric) ? hours.get(`${device} ${date}`) : undefined);
}
