// Days. https://developer.withings.com/api-reference/#operation/measurev2-getactivity
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { type JsonObject, readFlag, readNumber, readValues, required } from '../read-json.ts';
import { readDate } from '../read-time.ts';
import { readBody } from './answer.ts';

/** [field, metric, reported unit]. `active` is moderate and intense together, and `elevation` counts floors. */
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
  ['hr_zone_1', 'heart_rate_zone_2_time', 's'], // as in workouts
  ['hr_zone_2', 'heart_rate_zone_3_time', 's'],
  ['hr_zone_3', 'heart_rate_zone_5_time', 's'],
];

export const ACTIVITY_FIELDS: readonly string[] = [...FIELDS.map(([name]) => name), 'totalcalories'];

/** From another vendor's device, imported by a phone. */
const IMPORTED = 18;

type Reported = readonly [metric: string, value: number | null, unit: string];
type Row = { readonly isImported: boolean; readonly reported: readonly Reported[] };

/**
 * A date has a row for each device, one of them imported from another vendor by a phone: a duplicate of the same day. So each
 * metric is read from the first row that has it, worn Withings devices first, and rows are never added up. Values of the imported
 * row are marked, because the other vendor may be connected too.
 */
export function mapActivity(answer: unknown): ProviderRecords {
  const into = collectRecords();
  const days = new Map<string, Row[]>();
  into.each(readValues(readBody(answer), 'activities'), (row) => {
    days.getOrInsertComputed(required(readDate(row, 'date'), 'date'), () => []).push(readRow(row));
  });
  for (const [date, rows] of days) {
    const ordered = rows.toSorted((a, b) => placeOf(a) - placeOf(b));
    for (const [position, [metric, , unit]] of ordered[0]?.reported.entries() ?? []) {
      const giver = ordered.find(({ reported }) => reported[position]?.[1] != null);
      into.daily(metric, date, giver?.reported[position]?.[1] ?? null, unit, 'automatic', giver?.isImported);
    }
  }
  return into.records();
}

function readRow(row: JsonObject): Row {
  const reported = FIELDS.map(([name, metric, unit]): Reported => [metric, readField(row, name), unit]);
  return {
    isImported: readNumber(row, 'brand') === IMPORTED || readFlag(row, 'is_tracker') === false,
    reported: [...reported, ['resting_energy', readRest(row), 'kcal']],
  };
}

/** A heart rate of 0 means no signal: the device has no sensor, or lost it all day. It has no time in zones either. */
function readField(row: JsonObject, name: string): number | null {
  const value = readNumber(row, name);
  if (name.startsWith('hr_zone')) return readNumber(row, 'hr_average') ? value : null;
  return value === 0 && name.startsWith('hr_') ? null : value;
}

/** A watch that counted only zeros was not worn: the imported row has more of the day. */
function placeOf({ isImported, reported }: Row): number {
  const hasCounted = reported.some(([metric, value]) => metric !== 'resting_energy' && value !== null && value > 0);
  if (!hasCounted) return 2;
  return isImported ? 1 : 0;
}

/** Not reported: `totalcalories` (kcal) is the sum of it and the active energy. */
function readRest(row: JsonObject): number | null {
  const total = readNumber(row, 'totalcalories');
  const active = readNumber(row, 'calories');
  return total === null || active === null || active > total ? null : total - active;
}
