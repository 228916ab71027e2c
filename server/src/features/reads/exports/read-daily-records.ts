// The canonical daily values of a user, one record per day and metric, with the highest-ranked device behind each.

import { parseContributors } from '../../../domain/consolidate/day-notes.ts';
import { findMetric, type Metric, metricIdOf } from '../../../domain/metrics/index.ts';
import { presentValue } from '../../../domain/metrics/present-value.ts';
import { dateOf, type MonthNumber, type MonthSheet, monthOf } from '../../../domain/packed/month-sheets/index.ts';
import { listStoredMonths, loadDailySheets } from '../../store/daily-store/index.ts';
import { COMPUTED_PROVIDER, type DateRange, readSources } from '../shared/index.ts';
import type { ExportSource } from './export-source.ts';
import type { ExportedDaily, Origin, Traced } from './records.ts';

const COMPUTED: Origin = { provider: COMPUTED_PROVIDER, device_id: null };

/** A page per month. */
export async function* readDailyRecords(
  source: ExportSource,
  range: DateRange,
): AsyncGenerator<Traced<ExportedDaily>[]> {
  const { db, user, isWanted } = source;
  const sources = await readSources(db, user);
  const listOrigins = (note: string): Origin[] => {
    const origins = parseContributors(note).map(({ device }) => {
      const label = sources.get(device);
      return { provider: label?.provider ?? COMPUTED_PROVIDER, device_id: label?.id ?? null };
    });
    return origins.length === 0 ? [COMPUTED] : origins;
  };
  for (const month of await listStoredMonths(db, user)) {
    if (month < monthOf(range.from) || month > monthOf(range.to)) continue;
    const sheet = (await db.transaction((tx) => loadDailySheets(tx, user, [month]))).get(month);
    if (sheet === undefined) continue;
    const records = listRecords(month, sheet, listOrigins, isWanted);
    yield records.filter(({ record: { date } }) => date >= range.from && date <= range.to);
  }
}

/** By date, then in the order of the catalog. Scores have records of their own. */
function listRecords(
  month: MonthNumber,
  sheet: MonthSheet,
  listOrigins: (note: string) => Origin[],
  isWanted: (metric: Metric) => boolean,
): Traced<ExportedDaily>[] {
  return [...sheet.metrics()]
    .flatMap((number) => {
      const metric = findMetric(metricIdOf(number) ?? '');
      if (metric === null || metric.consolidation.by === 'computed' || !isWanted(metric)) return [];
      return [...sheet.cells(number)].map(([day, { value, note }]) => {
        const origins = listOrigins(note);
        const record = {
          date: dateOf(month, day),
          metric: metric.id as string,
          ...presentValue(metric, value, 'metric'),
          ...(origins[0] ?? COMPUTED),
        };
        return { record, providers: origins.map(({ provider }) => provider) };
      });
    })
    .sort(({ record: one }, { record: other }) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
}
