// Epochs of 15 minutes, one summary per kind of activity in the same quarter hour. Their counts are added up.
// https://developer.garmin.com/gc-developer-program/health-api/ (epoch summaries)
import { MINUTE_MS } from '../../domain/time/durations.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { type JsonObject, readNumber } from '../read-json.ts';
import { readLastingMs } from '../read-time.ts';
import { listSummaries, readSummaryTime } from './summaries.ts';

/** Garmin's field, our metric, its unit. */
type Total = readonly [field: string, metric: string, unit: string];

/** Reported for every kind of activity. */
const TOTALS: readonly Total[] = [
  ['steps', 'steps', 'count'],
  ['distanceInMeters', 'distance', 'm'],
  ['activeKilocalories', 'active_calories', 'kcal'],
];

/** Reported only for the kinds of activity in wheelchair mode. */
const PUSH_TOTALS: readonly Total[] = [
  ['pushes', 'wheelchair_pushes', 'count'],
  ['pushDistanceInMeters', 'wheelchair_distance', 'm'],
];

/** The length of an epoch that does not report one. */
const EPOCH_MS = 15 * MINUTE_MS;

type Epoch = {
  readonly start: number;
  readonly offsetMinutes: number;
  readonly lastsMs: number;
  /** By field, if reported. */
  readonly totals: ReadonlyMap<string, number>;
  readonly met: number | null;
  readonly activeSeconds: number | null;
};

export function mapEpochs(body: unknown): ProviderRecords {
  const records = collectRecords();
  const epochs: Epoch[] = [];
  records.each(listSummaries(body, 'epochs'), (item) => void epochs.push(readEpoch(item)));
  for (const [start, slot] of Map.groupBy(epochs, (epoch) => epoch.start)) {
    const end = start + Math.max(...slot.map(({ lastsMs }) => lastsMs));
    const at = { start, end, offsetMinutes: slot[0]?.offsetMinutes ?? 0 };
    for (const [field, metric, unit] of TOTALS) records.sample(metric, at, addUp(slot, field), unit);
    for (const [field, metric, unit] of PUSH_TOTALS) {
      const pushing = slot.filter(({ totals }) => totals.has(field));
      if (pushing.length > 0) records.sample(metric, at, addUp(pushing, field), unit);
    }
    records.sample('average_met', at, averageMet(slot), 'MET');
  }
  return records.records();
}

function readEpoch(item: JsonObject): Epoch {
  return {
    ...readSummaryTime(item),
    lastsMs: readLastingMs(item, 'durationInSeconds', 1_000) ?? EPOCH_MS,
    totals: readTotals(item),
    met: readNumber(item, 'met'), // of the time that the kind of activity took
    activeSeconds: readNumber(item, 'activeTimeInSeconds'),
  };
}

function readTotals(item: JsonObject): Map<string, number> {
  const totals = new Map<string, number>();
  for (const [field] of [...TOTALS, ...PUSH_TOTALS]) {
    const value = readNumber(item, field);
    if (value !== null) totals.set(field, value);
  }
  return totals;
}

/** Null if one of them is missing: the rest is not the total. */
function addUp(slot: readonly Epoch[], field: string): number | null {
  let sum: number | null = 0;
  for (const { totals } of slot) {
    const value = totals.get(field) ?? null;
    sum = sum === null || value === null ? null : sum + value;
  }
  return sum;
}

function averageMet(slot: readonly Epoch[]): number | null {
  let seconds = 0;
  let metSeconds = 0;
  for (const { met, activeSeconds } of slot) {
    if (met === null || activeSeconds === null) continue;
    seconds += activeSeconds;
    metSeconds += met * activeSeconds;
  }
  return seconds === 0 ? null : metSeconds / seconds;
}
