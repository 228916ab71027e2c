// Day values of a night. The sleeps themselves are mapped with their stages, so that each is written once and complete.
// https://developer.withings.com/api-reference/#operation/sleepv2-getsummary: seconds and beats per minute.
import type { LocalDate } from '../../domain/time/calendar.ts';
import { isPossible } from '../make-sessions.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { readNumber, readPart, readValues, required } from '../read-json.ts';
import { readDate, readLastingMs } from '../read-time.ts';
import { readBody } from './answer.ts';

export const SUMMARY_FIELDS: readonly string[] = [
  'total_timeinbed',
  'total_sleep_time',
  'asleepduration',
  'lightsleepduration',
  'deepsleepduration',
  'remsleepduration',
  'wakeupduration',
  'hr_average',
  'hr_min',
  'rr_average',
  'snoring',
  'core_body_temperature_avg',
  'rmssd_start_avg',
  'rmssd_end_avg',
];

export function mapSummaries(answer: unknown): ProviderRecords {
  const lowest = new Map<LocalDate, number>();
  const snored = new Map<LocalDate, number>();
  const into = collectRecords();
  into.each(readValues(readBody(answer), 'series'), (summary) => {
    const date = required(readDate(summary, 'date'), 'date'); // the local date of waking up
    const data = readPart(summary, 'data') ?? {};
    const bpm = readNumber(data, 'hr_min');
    const lastsMs = readLastingMs(data, 'snoring', 1_000);
    if (bpm !== null && isPossible('sleep_heart_rate_min', bpm))
      lowest.set(date, Math.min(bpm, lowest.get(date) ?? bpm));
    if (lastsMs !== null) snored.set(date, lastsMs / 1_000 + (snored.get(date) ?? 0));
  });
  for (const [date, bpm] of lowest) into.daily('sleep_heart_rate_min', date, bpm, 'bpm');
  for (const [date, seconds] of snored) into.daily('snoring_duration', date, seconds, 's');
  return into.records();
}
