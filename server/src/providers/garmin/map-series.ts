// Summaries that are series of one measurement. https://developer.garmin.com/gc-developer-program/health-api/
import { placeApart } from '../place-apart.ts';
import { collectRecords, type ProviderRecords, type RecordCollector } from '../provider-records.ts';
import { type JsonObject, readFlag, readList, readNumber, readText } from '../read-json.ts';
import { readLastingMs } from '../read-time.ts';
import { readOptional } from '../unreadable-fields.ts';
import { listSummaries, readMeasuredSeries, readNightDate, readSummaryTime } from './summaries.ts';

/** Heart rate variability of the night, RMSSD over five minutes each (HRV summaries). */
export function mapHrv(body: unknown): ProviderRecords {
  const records = collectRecords();
  records.each(listSummaries(body, 'hrv'), (item) => {
    const date = readOptional('calendarDate', () => readNightDate(item)); // the series is valid without it
    if (date !== null) records.daily('sleep_heart_rate_variability', date, readNumber(item, 'lastNightAvg'), 'ms');
    addSeries(records, item, 'hrvValues', 'heart_rate_variability_rmssd', 'ms');
  });
  return records.records();
}

/** Pulse ox summaries: percent of 100. */
export function mapPulseOx(body: unknown): ProviderRecords {
  const records = collectRecords();
  records.each(listSummaries(body, 'pulseox'), (item) => {
    const isRequested = readFlag(item, 'onDemand') === true;
    addSeries(records, item, 'timeOffsetSpo2Values', 'blood_oxygen', '%', isRequested);
  });
  return records.records();
}

/** Respiration summaries: breaths a minute. */
export function mapRespiration(body: unknown): ProviderRecords {
  const records = collectRecords();
  records.each(listSummaries(body, 'allDayRespiration'), (item) => {
    addSeries(records, item, 'timeOffsetEpochToBreaths', 'respiratory_rate', 'breaths/min');
  });
  return records.records();
}

/** Stress details: a level from 1 to 100 every three minutes. */
export function mapStressDetails(body: unknown): ProviderRecords {
  const records = collectRecords();
  records.each(listSummaries(body, 'stressDetails'), (item) => {
    addSeries(records, item, 'timeOffsetStressLevelValues', 'stress_score', 'score');
  });
  return records.records();
}

/**
 * Parts of a snapshot. `stress` is Garmin's score; `sdrr_hrv` counts all beats, unlike SDNN, so it is neither of our two kinds.
 */
const SNAPSHOT: Readonly<Record<string, readonly [metric: string, unit: string]>> = {
  heart_rate: ['heart_rate', 'bpm'],
  respiration: ['respiratory_rate', 'breaths/min'],
  pulse_ox: ['blood_oxygen', '%'],
  spo2: ['blood_oxygen', '%'], // the same under another name
  rmssd_hrv: ['heart_rate_variability_rmssd', 'ms'],
};

/**
 * Health Snapshot: two minutes at rest, a value every five seconds or only the average. All-day measurements continue beside it.
 */
export function mapHealthSnapshot(body: unknown): ProviderRecords {
  const records = collectRecords();
  records.each(listSummaries(body, 'healthSnapshot'), (item) => {
    const { start, offsetMinutes } = readSummaryTime(item);
    const end = start + (readLastingMs(item, 'durationInSeconds', 1_000) ?? 0);
    const at = { offsetMinutes, method: 'active' } as const;
    for (const part of readList(item, 'summaries')) {
      const [metric, unit] = SNAPSHOT[readText(part, 'summaryType') ?? ''] ?? [];
      if (metric === undefined || unit === undefined) continue;
      const points = readMeasuredSeries(part, 'epochSummaries');
      if (points.length === 0)
        records.sample(metric, placeApart({ ...at, start, end }, 1), readNumber(part, 'avgValue'), unit);
      for (const { afterMs, value } of points)
        records.sample(metric, placeApart({ ...at, start: start + afterMs }, 1), value, unit);
    }
  });
  return records.records();
}

function addSeries(
  records: RecordCollector,
  item: JsonObject,
  name: string,
  metric: string,
  unit: string,
  isRequested = false,
): void {
  const { start, offsetMinutes } = readSummaryTime(item);
  const method = isRequested ? 'active' : 'automatic';
  for (const { afterMs, value } of readMeasuredSeries(item, name)) {
    const at = { start: start + afterMs, offsetMinutes, method } as const;
    records.sample(metric, isRequested ? placeApart(at, 2) : at, value, unit);
  }
}
