// The times of an activity. `start_date` is UTC. `start_date_local` is the clock of the athlete with a false "Z": its difference
// from `start_date` is the offset.
import type { EpochMs } from '../../domain/records/records.ts';
import { isTimeZoneName } from '../../domain/time/calendar.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import { type JsonObject, readText, required } from '../read-json.ts';
import { offsetAt, readLastingMs, readMoment, readOffsetNumber } from '../read-time.ts';

type ActivityTimes = {
  readonly start: EpochMs;
  readonly end: EpochMs;
};

export function readTimes(item: JsonObject): ActivityTimes {
  const start = required(readMoment(item, 'start_date'), 'start_date').ms;
  const elapsedMs = required(readLastingMs(item, 'elapsed_time', 1_000), 'elapsed_time'); // s, with pauses
  return { start, end: (start + elapsedMs) as EpochMs };
}

/** `timezone`, such as "(GMT+01:00) Europe/Paris", names the offset of winter even in summer. */
const ZONE_NAME = /^\(GMT[^)]*\) (.+)$/;
const LONGEST_OFFSET_MINUTES = 14 * 60;
/** Every time zone is a multiple of a quarter hour from UTC. */
const OFFSET_STEP_MINUTES = 15;

export function readOffsetOf(item: JsonObject, start: EpochMs, zone: string): number {
  const local = isStartHidden(item) ? undefined : readMoment(item, 'start_date_local')?.ms;
  const difference = local === undefined ? Number.NaN : (local - start) / MINUTE_MS;
  if (isOffset(difference)) return difference;
  const reported = readOffsetNumber(item, 'utc_offset', 60); // s
  if (reported !== null && isOffset(reported)) return reported;
  const [, named = ''] = ZONE_NAME.exec(readText(item, 'timezone') ?? '') ?? [];
  return offsetAt(isTimeZoneName(named) ? named : zone, start);
}

function isOffset(minutes: number): boolean {
  return minutes % OFFSET_STEP_MINUTES === 0 && Math.abs(minutes) <= LONGEST_OFFSET_MINUTES;
}

/** The athlete hides the time of day: Strava then reports one second after midnight. */
const HIDDEN = /T00:00:01(?:\.0+)?Z$/;

export function isStartHidden(item: JsonObject): boolean {
  return HIDDEN.test(readText(item, 'start_date_local') ?? '');
}
