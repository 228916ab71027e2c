// The watch's records of a day: heart rate every minute, movement and energy every quarter hour, nights and workouts.
import { HOUR_MS, MINUTE_MS } from '../time/durations.ts';
import { createDraw } from './draw.ts';
import { forMinutes } from './heart.ts';
import type { LivedDay } from './lived-day.ts';
import type { Person } from './person.ts';
import type { DeviceRecordCollector } from './record-collector.ts';
import { seeSleepsWithWatch } from './seen-sleep.ts';
import { seeWorkoutsWithWatch } from './seen-workout.ts';
import { findStillQuarters, QUARTER_MS, readWakingRmssd, sumOf } from './still-quarters.ts';
import { isDuring, listWatchGaps, watchNightOf } from './wear.ts';

/** A watch misses steps while the arm holds something. */
export const COUNTED_STEPS = 0.985;
const NIGHT_READING_MS = 30 * MINUTE_MS;
/** SDNN over five minutes relative to RMSSD. */
const SDNN_PER_RMSSD = 1.25;

export function recordWatch(collector: DeviceRecordCollector, day: LivedDay): void {
  if (day.story.isWatchOff) return;
  const gaps = listWatchGaps(day);
  recordHeart(collector, day, gaps);
  recordMovement(collector, day, gaps);
  recordNight(collector, day, gaps);
  recordVariability(collector, day, gaps);
  for (const session of seeSleepsWithWatch(day)) collector.addSleep(session);
  const capacity = collector.series('vo2_max', 'mL/kg/min');
  for (const workout of seeWorkoutsWithWatch(day)) {
    collector.addWorkout(workout);
    if (workout.sportType !== 'running') continue;
    capacity(workout.end, workout.end, vo2MaxOf(day.person), workout.offsetMinutes);
  }
}

/** In mL/kg/min, from maximum and resting heart rate (Uth). */
export function vo2MaxOf({ maxBpm, restingBpm }: Person): number {
  return Math.min(62, Math.round(153 * (maxBpm / restingBpm)) / 10);
}

/** Whole beats, as a watch reports them. */
export function readWatch({ bpm }: LivedDay, minute: number): number {
  return Math.round(bpm[minute] as number);
}

/** Null if the watch was not worn that night. */
export function restingBpmOfWatch({ person, date, story, condition }: LivedDay): number | null {
  return story.isWatchOff || watchNightOf(person, date, story) !== 'worn'
    ? null
    : Math.round(condition.restingBpm + 0.4);
}

type Gaps = ReturnType<typeof listWatchGaps>;

function recordHeart(collector: DeviceRecordCollector, day: LivedDay, gaps: Gaps): void {
  const isOff = new Uint8Array(day.bpm.length);
  for (const { start, end } of gaps)
    forMinutes(isOff, day.fromMs, start, end, (minute) => {
      isOff[minute] = 1;
    });
  const beats = collector.series('heart_rate', 'bpm');
  for (let minute = 0; minute < isOff.length; minute++) {
    if (isOff[minute] === 1) continue;
    const start = day.fromMs + minute * MINUTE_MS;
    beats(start, start, readWatch(day, minute), day.offsetAt(start));
  }
}

function recordMovement(collector: DeviceRecordCollector, day: LivedDay, gaps: Gaps): void {
  const resting = collector.series('resting_energy', 'kcal');
  const steps = collector.series('steps', 'count');
  const distance = collector.series('distance', 'km');
  const active = collector.series('active_calories', 'kcal');
  const floors = collector.series('floors_climbed', 'count');
  const stride = strideKm(day.person);
  for (let start = day.fromMs, end = start; start < day.toMs; start = end) {
    end = Math.min(day.toMs, nextOf(QUARTER_MS, start));
    const [first, last] = [start, end].map((ms) => (ms - day.fromMs) / MINUTE_MS) as [number, number];
    const offset = day.offsetAt(start);
    if (start % HOUR_MS === 0 || start === day.fromMs) {
      const hourEnd = Math.min(day.toMs, nextOf(HOUR_MS, start));
      resting(start, hourEnd, toTenth((day.person.basalKcal / 24) * ((hourEnd - start) / HOUR_MS)), offset);
    }
    if (isDuring(gaps, start)) continue;
    const counted = Math.round(sumOf(day.steps, first, last) * COUNTED_STEPS);
    const kcal = toTenth(sumOf(day.activeKcal, first, last));
    if (counted > 0) steps(start, end, counted, offset);
    if (counted > 0) distance(start, end, Math.round(counted * stride * 1_000) / 1_000, offset);
    if (kcal > 0) active(start, end, kcal, offset);
  }
  for (const climb of day.climbs)
    if (!isDuring(gaps, climb.at)) floors(climb.at, climb.at + MINUTE_MS, climb.floors, day.offsetAt(climb.at));
}

function recordNight(collector: DeviceRecordCollector, day: LivedDay, gaps: Gaps): void {
  const draw = createDraw(day.person.seed, 'oxygen', day.date);
  const oxygen = collector.series('blood_oxygen', '%');
  const breaths = collector.series('respiratory_rate', 'breaths/min');
  for (let start = day.fromMs; start < day.toMs; start += NIGHT_READING_MS) {
    const percent = Math.round(Math.min(100, draw.near(day.condition.oxygenPct - 0.7, 0.5)));
    const perMinute = toTenth(draw.near(day.condition.breathsPerMinute + 0.3, 0.4));
    if (!isDuring(day.beds, start) || isDuring(gaps, start)) continue;
    oxygen(start, start, percent, day.offsetAt(start));
    breaths(start, start, perMinute, day.offsetAt(start));
  }
  const resting = restingBpmOfWatch(day);
  const woke = day.sleeps.find(({ kind }) => kind === 'night')?.end;
  if (resting !== null && woke !== undefined)
    collector.series('resting_heart_rate', 'bpm')(woke, woke, resting, day.offsetAt(woke));
}

/** Occasionally, while still. */
function recordVariability(collector: DeviceRecordCollector, day: LivedDay, gaps: Gaps): void {
  const variability = collector.series('heart_rate_variability', 'ms');
  const rmssdAt = readWakingRmssd(day);
  findStillQuarters(day).forEach((start, index) => {
    if (index % 8 !== 3 || isDuring(gaps, start)) return;
    variability(start, start, Math.round(rmssdAt(start) * SDNN_PER_RMSSD), day.offsetAt(start));
  });
}

export function strideKm({ heightCm }: Person): number {
  return (0.415 * heightCm) / 100_000;
}

function toTenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The next whole multiple, because a part of a day may begin at any time. */
function nextOf(intervalMs: number, ms: number): number {
  return (Math.floor(ms / intervalMs) + 1) * intervalMs;
}
