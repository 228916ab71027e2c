// Daily totals, by watch. A day may be listed twice, once without a value, and a value may be a string.

import type { LocalDate } from '../../domain/time/calendar.ts';
import { localDateAt, parseLocalDate } from '../../domain/time/calendar.ts';
import type { MapContext } from '../contract.ts';
import { isPossible } from '../make-sessions.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { type JsonObject, readText, readValues, required } from '../read-json.ts';
import { parseMoment } from '../read-time.ts';
import { rejectField } from '../unreadable-fields.ts';
import { listSamples } from './samples.ts';
import { ENERGY } from './unconfirmed.ts';

type Total = {
  readonly metric: string;
  readonly unit: string;
  readonly part: string | null;
  convert(value: number): number;
};

/** Of the day; workouts report kcal. */
const JOULES_PER_KCAL = 4_184;

const TOTALS: Readonly<Record<string, Total>> = {
  stepcount: { metric: 'steps', unit: 'count', part: null, convert: (count) => count },
  energyconsumption: {
    metric: 'total_calories',
    unit: 'kcal',
    part: ENERGY,
    convert: (joules) => joules / JOULES_PER_KCAL,
  },
};
const NOT_SUMS: readonly (string | null)[] = ['avg', 'average', 'min', 'max'];

export function mapStatistics(body: unknown, { parts, zone }: MapContext): ProviderRecords {
  const into = collectRecords();
  into.each(listSamples(body), (statistic) => {
    const total = TOTALS[required(readText(statistic, 'Name'), 'Name').toLowerCase()];
    if (total === undefined || NOT_SUMS.includes(readText(statistic, 'Aggregation'))) return;
    if (total.part !== null && parts?.has(total.part) !== true) return;
    const days = new Map<LocalDate, number>();
    into.each(readValues(statistic, 'Sources'), (source) =>
      into.each(readValues(source, 'Samples'), (sample) =>
        addMost(days, readDay(sample, zone), readTotal(sample, total)),
      ),
    );
    for (const [date, value] of days) into.daily(total.metric, date, value, total.unit);
  });
  return into.records();
}

/** The watch that counted most: adding up two watches would count the same walk twice. */
function addMost(days: Map<LocalDate, number>, date: LocalDate, value: number | null): void {
  if (value !== null) days.set(date, Math.max(value, days.get(date) ?? value));
}

/**
 * The local midnight at which the day began. Without an offset, or with that of UTC, it is written in UTC: a midnight is then
 * that of the date, and any other time is in the user's zone.
 */
function readDay(sample: JsonObject, zone: string): LocalDate {
  const text = required(readText(sample, 'TimeISO8601'), 'TimeISO8601');
  const hasOffset = /(Z|[+-]\d\d:?\d\d)$/.test(text);
  const { ms, offsetMinutes } = parseMoment(hasOffset ? text : `${text}Z`, 'TimeISO8601');
  const written = required(parseLocalDate(text.slice(0, 10)), 'TimeISO8601');
  return offsetMinutes !== 0 || text.slice(11, 16) === '00:00' ? written : localDateAt(ms, zone);
}

function readTotal(sample: JsonObject, { metric, convert }: Total): number | null {
  const value = sample.Value ?? null;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (number === null) return null;
  const total = typeof number === 'number' ? convert(number) : Number.NaN;
  return isPossible(metric, total) ? total : rejectField('Value', 'is not a total');
}
