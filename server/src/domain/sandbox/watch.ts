// What the watch tells of a day: the heart every minute, movement and energy every quarter hour, nights and workouts.
import { createDraw } from './draw.ts';
import { forMinutes } from './heart.ts';
import type { LivedDay } from './lived-day.ts';
import { findStillQuarters, QUARTER_MS, wakingRmssd } from './quiet-quarters.ts';
import type { RecordBook } from './record-book.ts';
import { seeSleepsWithWatch } from './seen-sleep.ts';
import { seeWorkoutsWithWatch } from './seen-workout.ts';
import { HOUR_MS, MINUTE_MS } from './wall-time.ts';
import { isWithin, listWatchGaps, watchNightOf } from './wear.ts';

const NIGHT_READING_MS = 30 * MINUTE_MS;
/** SDNN of five minutes is about so much of what beat-to-beat differences give. */
const SDNN_PER_RMSSD = 1.25;

export function recordWatch(book: RecordBook, day: LivedDay): void {
  if (day.story.isWatchOff) return;
  const gaps = listWatchGaps(day);
  recordHeart(book, day, gaps);
  recordMovement(book, day, gaps);
  recordNight(book, day, gaps);
  recordVariability(book, day, gaps);
  for (const session of seeSleepsWithWatch(day)) book.addSleep(session);
  for (const workout of seeWorkoutsWithWatch(day)) {
    book.addWorkout(workout);
    if (workout.sportType !== 'running') continue;
    const value = Math.round(153 * (day.person.maxBpm / day.person.restingBpm)) / 10;
    book.add('vo2_max', { start: workout.end, value, unit: 'mL/kg/min', offsetMinutes: workout.offsetMinutes });
  }
}

/** Whole beats, as a watch has them. */
export function readWatch({ bpm }: LivedDay, minute: number): number {
  return Math.round(bpm[minute] as number);
}

/** Null: it was not on the wrist in that night. */
export function restingBpmOfWatch({ person, date, story, condition }: LivedDay): number | null {
  return story.isWatchOff || watchNightOf(person, date) !== 'worn' ? null : Math.round(condition.restingBpm + 0.4);
}

type Gaps = ReturnType<typeof listWatchGaps>;

function recordHeart(book: RecordBook, day: LivedDay, gaps: Gaps): void {
  const isOff = new Uint8Array(day.bpm.length);
  for (const { start, end } of gaps)
    forMinutes(isOff, day.fromMs, start, end, (minute) => {
      isOff[minute] = 1;
    });
  for (let minute = 0; minute < isOff.length; minute++) {
    if (isOff[minute] === 1) continue;
    const start = day.fromMs + minute * MINUTE_MS;
    book.add('heart_rate', { start, value: readWatch(day, minute), unit: 'bpm', offsetMinutes: day.offsetAt(start) });
  }
}

function recordMovement(book: RecordBook, day: LivedDay, gaps: Gaps): void {
  const stride = (0.415 * day.person.heightCm) / 100_000;
  for (let first = 0, start = day.fromMs; start < day.toMs; first += 15, start += QUARTER_MS) {
    const end = Math.min(day.toMs, start + QUARTER_MS);
    const offsetMinutes = day.offsetAt(start);
    if (start % HOUR_MS === 0 || start === day.fromMs) {
      const hours = (Math.min(day.toMs, nextHour(start)) - start) / HOUR_MS;
      const value = Math.round((day.person.basalKcal / 24) * hours * 10) / 10;
      book.add('resting_energy', { start, end: start + hours * HOUR_MS, value, unit: 'kcal', offsetMinutes });
    }
    const steps = sum(day.steps, first, first + 15);
    if (isWithin(gaps, start) || steps === 0) continue;
    const counted = Math.round(steps * 0.985);
    const kcal = sum(day.activeKcal, first, first + 15);
    book.add('steps', { start, end, value: counted, unit: 'count', offsetMinutes });
    book.add('distance', {
      start,
      end,
      value: Math.round(counted * stride * 1_000) / 1_000,
      unit: 'km',
      offsetMinutes,
    });
    book.add('active_calories', { start, end, value: Math.round(kcal * 10) / 10, unit: 'kcal', offsetMinutes });
  }
  for (const { at, floors } of day.climbs) {
    if (isWithin(gaps, at)) continue;
    book.add('floors_climbed', {
      start: at,
      end: at + MINUTE_MS,
      value: floors,
      unit: 'count',
      offsetMinutes: day.offsetAt(at),
    });
  }
}

function recordNight(book: RecordBook, day: LivedDay, gaps: Gaps): void {
  const draw = createDraw(day.person.seed, 'oxygen', day.date);
  for (let start = day.fromMs; start < day.toMs; start += NIGHT_READING_MS) {
    const oxygen = draw.near(day.condition.oxygenPct - 0.7, 0.5);
    const breaths = draw.near(day.condition.breathsPerMinute + 0.3, 0.4);
    if (!isWithin(day.beds, start) || isWithin(gaps, start)) continue;
    const offsetMinutes = day.offsetAt(start);
    book.add('blood_oxygen', { start, value: Math.round(Math.min(100, oxygen)), unit: '%', offsetMinutes });
    book.add('respiratory_rate', { start, value: Math.round(breaths * 10) / 10, unit: 'breaths/min', offsetMinutes });
  }
  const resting = restingBpmOfWatch(day);
  const woke = day.sleeps.find(({ kind }) => kind === 'night')?.end;
  if (resting === null || woke === undefined) return;
  book.add('resting_heart_rate', { start: woke, value: resting, unit: 'bpm', offsetMinutes: day.offsetAt(woke) });
}

/** Now and then, in a quiet moment. */
function recordVariability(book: RecordBook, day: LivedDay, gaps: Gaps): void {
  findStillQuarters(day).forEach((start, index) => {
    if (index % 8 !== 3 || isWithin(gaps, start)) return;
    const value = Math.round(wakingRmssd(day, start) * SDNN_PER_RMSSD);
    book.add('heart_rate_variability', { start, value, unit: 'ms', offsetMinutes: day.offsetAt(start) });
  });
}

function nextHour(ms: number): number {
  return (Math.floor(ms / HOUR_MS) + 1) * HOUR_MS;
}

function sum(values: ArrayLike<number>, from: number, to: number): number {
  let total = 0;
  for (let index = from; index < Math.min(to, values.length); index++) total += values[index] as number;
  return total;
}
