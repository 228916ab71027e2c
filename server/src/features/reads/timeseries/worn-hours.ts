// Hours in which devices were worn, for the merge of totals (pipeline/ingest/worn-hours.ts does this for daily values).

import { openSeriesDays, openWornHours } from '../../../domain/consolidate/index.ts';
import { getMetricOrThrow, type Metric, type MetricId } from '../../../domain/metrics/index.ts';
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Zone } from '../../../domain/time/day.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { SourceDevice } from '../../store/devices/index.ts';
import { readSamples, type SampleRequest } from '../../store/samples/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { type Contributor, toRankedSeries } from './canonical-samples.ts';

/** Undefined: worn hours do not affect that day. */
export type WornHours = (device: DeviceId | null, date: LocalDate) => ReadonlySet<number> | undefined;

const HEART_RATE = 'heart_rate' as MetricId;

/** Dates whose heart rates can change the totals of these requests. The requests cover whole days. */
export function findContestedDates(
  requests: readonly SampleRequest[],
  zone: Zone,
  listContributors: (metric: Metric) => readonly Contributor[],
): ReadonlySet<LocalDate> {
  const contested = new Set<LocalDate>();
  for (const { metric, fromMs, toMs } of requests) {
    const contributors = listContributors(getMetricOrThrow(metric));
    if (contributors.length < 2 || !contributors.some(({ series }) => series.values.includes(0))) continue;
    const days = openSeriesDays(toRankedSeries(contributors), zone);
    for (let day = zone.dayAt(fromMs); day.start < toMs; day = zone.dayAt(day.end))
      for (const date of days.listContested(day)) contested.add(date);
  }
  return contested;
}

/** Reads day by day, to hold the heart rates of only one day in memory. */
export async function readWornHours(
  db: Queryable,
  user: UserHandle,
  devices: readonly SourceDevice[],
  contested: ReadonlySet<LocalDate>,
  zone: Zone,
): Promise<WornHours> {
  if (contested.size === 0) return () => undefined;
  const hours = new Map<string, ReadonlySet<number>>();
  for (const date of contested) {
    const { start, end } = zone.dayOf(date);
    const heartRates = (await readSamples(db, user, [{ metric: HEART_RATE, fromMs: start, toMs: end }])).get(
      HEART_RATE,
    );
    const wornHours = openWornHours(heartRates, zone);
    for (const { id, number } of devices) hours.set(`${id} ${date}`, wornHours(number, date));
  }
  return (device, date) => hours.get(`${device} ${date}`);
}
