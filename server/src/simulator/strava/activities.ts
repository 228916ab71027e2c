// Activities: what the watch recorded, uploaded by another vendor, and some that the athlete entered by hand.
import type { HeartRateSample, Workout } from '../../domain/records/records.ts';
import { createDraw, momentAt, type SportName } from '../../domain/sandbox/index.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { exactNumber } from '../exact-number.ts';
import { nameInteger } from '../names.ts';
import { SYNC_EVERY_MS } from '../sync-time.ts';
import { offsetMinutesAt, writeOffset, writeWallTime } from '../write-time.ts';
import { athleteIdOf } from './athlete.ts';

export type Activity = {
  readonly id: string;
  readonly startMs: number;
  /** Visible with `activity:read_all` only. */
  readonly isPrivate: boolean;
  /** Streams can be read from here on; null: entered by hand, so there are none. */
  readonly processedMs: number | null;
  readonly workout: Workout;
};

const ID_BITS = 53;
const FIRST_ID = 2n ** 60n; // beyond what a double can hold
const PROCESSING_MS = MINUTE_MS;
const PRIVATE_CHANCE = 0.1;
const MANUAL_CHANCE = 0.2;
const MANUAL_AT = 21 * 60;
const MANUAL_MINUTES = 20;

/** `type` is the former name of a sport; it distinguishes less. */
const SPORTS: Readonly<Record<SportName, readonly [sportType: string, type: string]>> = {
  running: ['Run', 'Run'],
  cycling: ['GravelRide', 'Ride'],
  strength_training: ['WeightTraining', 'WeightTraining'],
  pool_swimming: ['Swim', 'Swim'],
  yoga: ['Yoga', 'Yoga'],
  hiking: ['Hike', 'Hike'],
};

export function listActivities(view: AccountView, day: AccountDay): Activity[] {
  const identify = (workout: Workout, processedMs: number | null): Activity => ({
    id: String(FIRST_ID + nameInteger(ID_BITS, 'strava', view.account.seed, 'activity', workout.key)),
    startMs: workout.start,
    isPrivate: createDraw(view.account.seed, 'visibility', workout.key).isLucky(PRIVATE_CHANCE),
    processedMs,
    workout,
  });
  const recorded = day.workouts.map((workout) => identify(workout, uploadedAt(workout) + PROCESSING_MS));
  return [...recorded, ...listEntered(view, day).map((workout) => identify(workout, null))];
}

/** With the next sync of the watch. */
function uploadedAt({ end }: Workout): number {
  return Math.ceil(end / SYNC_EVERY_MS) * SYNC_EVERY_MS;
}

function listEntered({ account }: AccountView, day: AccountDay): Workout[] {
  const start = momentAt(account.zone, day.date, MANUAL_AT) as Workout['start'];
  const end = (start + MANUAL_MINUTES * MINUTE_MS) as Workout['end'];
  if (!createDraw(account.seed, 'entered', day.date).isLucky(MANUAL_CHANCE) || end > day.untilMs) return [];
  const [like] = day.workouts;
  if (like === undefined) return [];
  return [
    {
      ...like,
      key: `entered-${day.date}`,
      sportType: 'yoga',
      start,
      end,
      durationMinutes: MANUAL_MINUTES,
      distanceKm: null,
      activeCalories: null,
      elevationGainM: null,
      heartRateSamples: null,
    },
  ];
}

/** The fields of a list; details have more. */
export function describeActivity(view: AccountView, { id, isPrivate, processedMs, workout }: Activity) {
  const { zone } = view.account;
  const { start, end } = workout;
  const [sportType, type] = SPORTS[workout.sportType as SportName];
  const isManual = processedMs === null;
  const offsetMinutes = offsetMinutesAt(zone, start);
  const seconds = Math.round((end - start) / 1_000);
  const metres = Math.round((workout.distanceKm ?? 0) * 10_000) / 10;
  const uploadId = isManual ? null : nameInteger(40, 'strava', id, 'upload');
  return {
    resource_state: 2,
    athlete: { id: exactNumber(athleteIdOf(view.account)), resource_state: 1 },
    name: isManual ? 'Evening Yoga' : `Morning ${type}`,
    distance: metres, // 0 without a distance
    moving_time: Math.round((workout.durationMinutes ?? seconds / 60) * 60),
    elapsed_time: seconds,
    total_elevation_gain: workout.elevationGainM ?? 0,
    type,
    sport_type: sportType,
    id: exactNumber(BigInt(id)),
    start_date: writeUtc(start),
    start_date_local: `${writeWallTime(start, offsetMinutes).slice(0, 19)}Z`, // as if it were UTC
    timezone: `(GMT${writeOffset(60)}) Europe/Berlin`,
    utc_offset: offsetMinutes * 60,
    trainer: false,
    commute: false,
    manual: isManual,
    private: isPrivate,
    visibility: isPrivate ? 'only_me' : 'everyone',
    flagged: false,
    start_latlng: [],
    end_latlng: [],
    average_speed: seconds === 0 ? 0 : Math.round((metres / seconds) * 1_000) / 1_000,
    upload_id: uploadId === null ? null : exactNumber(uploadId),
    external_id: isManual ? null : `garmin_push_${nameInteger(34, 'garmin', id)}`,
    ...describeHeart(workout.heartRateSamples ?? []),
    ...describeCadence(workout),
  };
}

export function detailActivity(view: AccountView, activity: Activity) {
  const { workout, processedMs } = activity;
  return {
    ...describeActivity(view, activity),
    resource_state: 3,
    calories: workout.activeCalories ?? 0,
    description: '',
    device_name: processedMs === null ? null : 'Garmin Forerunner 965',
    laps: processedMs === null ? [] : [describeLap(workout)],
  };
}

/** One lap: the whole activity. */
function describeLap({ start, end, distanceKm, heartRateSamples }: Workout) {
  return {
    name: 'Lap 1',
    elapsed_time: Math.round((end - start) / 1_000),
    start_date: writeUtc(start),
    distance: Math.round((distanceKm ?? 0) * 1_000),
    lap_index: 1,
    ...describeHeart(heartRateSamples ?? []),
  };
}

function describeHeart(trace: readonly HeartRateSample[]) {
  if (trace.length === 0) return { has_heartrate: false };
  const bpm = trace.map((sample) => sample.bpm);
  return {
    has_heartrate: true,
    average_heartrate: Math.round((10 * bpm.reduce((sum, value) => sum + value, 0)) / bpm.length) / 10,
    max_heartrate: Math.max(...bpm),
  };
}

/** Of a run, the steps of one leg. */
function describeCadence({ sportType, steps, durationMinutes }: Workout) {
  if (sportType === 'cycling') return { average_cadence: 84, device_watts: true };
  const perMinute = (steps ?? 0) / (durationMinutes || 1);
  return sportType === 'running' ? { average_cadence: Math.round(perMinute * 5) / 10, device_watts: true } : {};
}

function writeUtc(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
