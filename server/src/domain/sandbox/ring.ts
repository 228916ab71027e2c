// What the ring tells of a day: the heart and its variability at night and at rest, temperature, nights and naps.
import { createDraw } from './draw.ts';
import type { LivedDay } from './lived-day.ts';
import { findStillQuarters, wakingRmssd } from './quiet-quarters.ts';
import type { RecordBook } from './record-book.ts';
import { seeSleepsWithRing } from './seen-sleep.ts';
import { MINUTE_MS } from './wall-time.ts';
import { isRingOnAtNight, isWithin, listRingGaps } from './wear.ts';

const READING_MINUTES = 5;

export function recordRing(book: RecordBook, day: LivedDay): void {
  if (day.story.isRingOff) return;
  const gaps = listRingGaps(day);
  const draw = createDraw(day.person.seed, 'ring', day.date);
  const still = new Set(findStillQuarters(day));
  for (let minute = 0; minute < day.bpm.length; minute += READING_MINUTES) {
    const start = day.fromMs + minute * MINUTE_MS;
    const noise = draw.near(0, 1);
    if (isWithin(gaps, start)) continue;
    const isInBed = isWithin(day.beds, start);
    const isQuiet = still.has(start);
    if (!isInBed && !isQuiet) continue;
    const offsetMinutes = day.offsetAt(start);
    const bpm = Math.round((day.bpm[minute] as number) + 0.7 * noise);
    const rmssd = isInBed ? day.condition.hrvMs * Math.exp(0.16 * noise) : wakingRmssd(day, start);
    book.add('heart_rate', { start, value: bpm, unit: 'bpm', offsetMinutes });
    book.add('heart_rate_variability_rmssd', { start, value: Math.round(rmssd), unit: 'ms', offsetMinutes });
  }
  recordMorning(book, day);
  for (const session of seeSleepsWithRing(day)) book.addSleep(session);
}

function recordMorning(book: RecordBook, day: LivedDay): void {
  const woke = day.sleeps.find(({ kind }) => kind === 'night')?.end;
  if (woke === undefined || !isRingOnAtNight(day.person, day.date)) return;
  const { restingBpm, temperatureDeviationC } = day.condition;
  const offsetMinutes = day.offsetAt(woke);
  const tell = (metric: string, value: number, unit: string) =>
    book.add(metric, { start: woke, value, unit, offsetMinutes });
  tell('resting_heart_rate', Math.round(restingBpm), 'bpm');
  tell('sleep_heart_rate_min', Math.round(restingBpm - 1), 'bpm');
  tell('sleep_temperature_deviation', Math.round(temperatureDeviationC * 100) / 100, '°C');
}
