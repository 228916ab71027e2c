// Epochs: 15 minutes each, one summary per kind of activity in the same quarter hour. What they count is added up.
// https://developer.garmin.com/gc-developer-program/health-api/ (epoch summaries)
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { type JsonObject, readNumber, required } from '../read-json.ts';
import { listSummaries, readSummaryTime } from './summaries.ts';

/** Garmin's field, our metric, its unit. */
type Total = readonly [field: string, metric: string, unit: string];

/** Of every kind of activity. */
const TOTALS: readonly Total[] = [
  ['steps', 'steps', 'count'],
  ['distanceInMeters', 'distance', 'm'],
  ['activeKilocalories', 'active_calories', 'kcal'],
];

/** Only of the kinds that a watch in wheelchair mode knows. */
const PUSH_TOTALS: readonly Total[] = [
  ['pushes', 'wheelchair_pushes', 'count'],
  ['pushDistanceInMeters', 'wheelchair_distance', 'm'],
];

export function mapEpochs(body: unknown): ProviderRecords {
  const records = collectRecords();
  const slots = Map.groupBy(listSummaries(body, 'epochs'), (item) => readSummaryTime(item).start);
  for (const [start, items] of slots) {
    const at = { start, end: start + longestMs(items), offsetMinutes: offsetOf(items) };
    for (const [field, metric, unit] of TOTALS) records.sample(metric, at, addUp(items, field), unit);
    for (const [field, metric, unit] of PUSH_TOTALS) {
      const pushing = items.filter((item) => readNumber(item, field) !== null);
      if (pushing.length > 0) records.sample(metric, at, addUp(pushing, field), unit);
    }
    records.sample('average_met', at, averageMet(items), 'MET');
  }
  return records.records();
}

/** Null where one of them does not tell: the rest is not the whole. */
function addUp(items: readonly JsonObject[], field: string): number | null {
  let sum: number | null = 0;
  for (const item of items) {
    const value = readNumber(item, field);
    sum = sum === null || value === null ? null : sum + value;
  }
  return sum;
}

/** met: of the time that the kind of activity took (activeTimeInSeconds). */
function averageMet(items: readonly JsonObject[]): number | null {
  let seconds = 0;
  let metSeconds = 0;
  for (const item of items) {
    const met = readNumber(item, 'met');
    const active = readNumber(item, 'activeTimeInSeconds');
    if (met === null || active === null) continue;
    seconds += active;
    metSeconds += met * active;
  }
  return seconds === 0 ? null : metSeconds / seconds;
}

function longestMs(items: readonly JsonObject[]): number {
  return Math.max(...items.map((item) => required(readNumber(item, 'durationInSeconds'), 'durationInSeconds') * 1_000));
}

function offsetOf([first]: readonly JsonObject[]): number {
  return first === undefined ? 0 : readSummaryTime(first).offsetMinutes;
}
