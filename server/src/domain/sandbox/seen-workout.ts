// A workout as the watch recorded it, and as an app on the phone did.
import type { EpochMs, HeartRateSample, Workout } from '../records/records.ts';
import { createDraw } from './draw.ts';
import { bpmAtWork } from './heart.ts';
import type { LivedDay } from './lived-day.ts';
import { nameRecord } from './record-names.ts';
import { SIMULATED_SPORTS } from './sport.ts';
import { isDuring, listWatchGaps } from './wear.ts';
import type { LivedWorkout } from './workout.ts';

const WATCH_TRACE_SECONDS = 10;
/** The app receives fewer readings from the watch. */
const PHONE_TRACE_SECONDS = 60;

const NOTHING_MORE = {
  weatherTemperatureC: null,
  weatherHumidityPct: null,
  swimmingLapLengthM: null,
  method: 'active',
} as const;

export function seeWorkoutsWithWatch(day: LivedDay): Workout[] {
  const gaps = listWatchGaps(day);
  return day.workouts
    .filter(({ start }) => !isDuring(gaps, start))
    .map((workout) => {
      const isSwim = workout.sport === 'pool_swimming';
      const trace = drawTrace(day, workout, workout.start, workout.end, WATCH_TRACE_SECONDS);
      return {
        ...NOTHING_MORE,
        ...describe(day, workout, workout.start, workout.end),
        name: null,
        distanceKm: workout.distanceKm,
        activeCalories: workout.activeKcal,
        steps: workout.steps === 0 ? null : workout.steps,
        elevationGainM: workout.climbMetres === 0 ? null : workout.climbMetres,
        avgMets: Math.round((SIMULATED_SPORTS[workout.sport].mets + 1) * 10) / 10,
        swimmingStrokeCount: isSwim ? Math.round(workout.minutes * 22) : null,
        swimmingLapLengthM: isSwim ? 25 : null,
        heartRateSamples: trace,
      };
    });
}

export function seeWorkoutsWithPhone(day: LivedDay): Workout[] {
  return day.workouts
    .filter(({ isOnPhone }) => isOnPhone)
    .map((workout) => {
      const draw = createDraw(day.person.seed, 'app', workout.start);
      const start = workout.start + Math.round(draw.between(15, 70)) * 1_000;
      const end = workout.end + Math.round(draw.between(5, 60)) * 1_000;
      const distanceKm = (workout.distanceKm ?? 0) * draw.near(1, 0.012);
      return {
        ...NOTHING_MORE,
        ...describe(day, workout, start, end),
        name: nameOuting(day, workout),
        distanceKm: Math.round(distanceKm * 1_000) / 1_000,
        activeCalories: Math.round(workout.activeKcal * draw.near(1.06, 0.03)),
        steps: Math.round(workout.steps * 0.97),
        elevationGainM: Math.round(workout.climbMetres * draw.near(1.1, 0.05)),
        avgMets: null,
        swimmingStrokeCount: null,
        heartRateSamples: day.story.isWatchOff ? null : drawTrace(day, workout, start, end, PHONE_TRACE_SECONDS),
      };
    });
}

function describe(day: LivedDay, { sport, minutes }: LivedWorkout, start: number, end: number) {
  return {
    key: nameRecord(sport, day),
    sportType: sport,
    start: start as EpochMs,
    end: end as EpochMs,
    offsetMinutes: day.offsetAt(start),
    durationMinutes: minutes,
    avgHeartRate: null,
    maxHeartRate: null,
    sourceZones: null,
  };
}

function nameOuting({ zone, date }: LivedDay, { sport, start }: LivedWorkout): string {
  const isMorning = zone.wallMinutes(start, date) < 12 * 60;
  return `${isMorning ? 'Morning' : 'Evening'} ${sport === 'running' ? 'run' : 'hike'}`;
}

function drawTrace(
  day: LivedDay,
  workout: LivedWorkout,
  start: number,
  end: number,
  seconds: number,
): HeartRateSample[] {
  const { unit } = createDraw(day.person.seed, 'trace', seconds, workout.start);
  const samples: HeartRateSample[] = [];
  for (let time = start; time < end; time += seconds * 1_000) {
    const bpm = bpmAtWork(workout, day.person, day.condition.restingBpm, (time - workout.start) / 1_000);
    samples.push({ time: time as EpochMs, bpm: Math.round(bpm + 2 * (unit() - 0.5)) });
  }
  return samples;
}
