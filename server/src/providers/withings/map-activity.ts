// Days. https://developer.withings.com/api-reference/#operation/measurev2-getactivity
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { type JsonObject, readFlag, readNumber, readValues, required } from '../read-json.ts';
import { readDate } from '../read-time.ts';
import { readBody } from './answer.ts';

/** [field, metric, the unit it is told in]. `active` is moderate and intense together, and `elevation` counts floors. */
const FIELDS: readonly (readonly [name: string, metric: string, unit: string])[] = [
  ['steps', 'steps', 'count'],
  ['distance', 'distance', 'm'],
  ['elevation', 'floors_climbed', 'count'],
  ['soft', 'light_activity', 's'],
  ['moderate', 'moderate_activity', 's'],
  ['intense', 'vigorous_activity', 's'],
  ['calories', 'active_calories', 'kcal'],
  ['hr_average', 'heart_rate', 'bpm'],
  ['hr_min', 'heart_rate_min', 'bpm'],
  ['hr_max', 'heart_rate_max', 'bpm'],
];

export const ACTIVITY_FIELDS: readonly string[] = [...FIELDS.map(([name]) => name), 'totalcalories'];

/** Of another maker's device, brought in by a phone: who wants it connects that maker. */
const IMPORTED = 18;

export function mapActivity(answer: unknown): ProviderRecords {
  const into = collectRecords();
  into.each(readValues(readBody(answer), 'activities'), (row) => {
    if (readNumber(row, 'brand') === IMPORTED || readFlag(row, 'is_tracker') === false) return;
    const date = required(readDate(row, 'date'), 'date');
    for (const [name, metric, unit] of FIELDS) into.daily(metric, date, readNumber(row, name), unit);
    into.daily('resting_energy', date, readRest(row), 'kcal');
  });
  return into.records();
}

/** Not told by itself: `totalcalories` (kcal) is it and the active ones. */
function readRest(row: JsonObject): number | null {
  const total = readNumber(row, 'totalcalories');
  const active = readNumber(row, 'calories');
  return total === null || active === null || active > total ? null : total - active;
}
