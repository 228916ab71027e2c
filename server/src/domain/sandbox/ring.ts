// The ring's records of a day: heart rate and variability at night and at rest, temperature, nights and naps.
import { MINUTE_MS } from '../time/durations.ts';
import { createDraw } from './draw.ts';
import type { LivedDay } from './lived-day.ts';
import type { DeviceRecordCollector } from './record-collector.ts';
import { seeSleepsWithRing } from './seen-sleep.ts';
import { findStillQuarters, readWakingRmssd } from './still-quarters.ts';
import { isDuring, isRingOnAtNight, listRingGaps } from './wear.ts';

const READING_MINUTES = 5;

export function recordRing(collector: DeviceRecordCollector, day: LivedDay): void {
  if (day.story.isRingOff) return;
  const gaps = listRingGaps(day);
  const draw = createDraw(day.person.seed, 'ring', day.date);
  const beats = collector.series('heart_rate', 'bpm');
  const variability = collector.series('heart_rate_variability_rmssd', 'ms');
  const rmssdAt = readWakingRmssd(day);
  const still = new Set(findStillQuarters(day));
  for (let minute = 0; minute < day.bpm.length; minute += READING_MINUTES) {
    const start = day.fromMs + minute * MINUTE_MS;
    const noise = draw.near(0, 1);
    if (isDuring(gaps, start)) continue;
    const isInBed = isDuring(day.beds, start);
    const isStill = still.has(start);
    if (!isInBed && !isStill) continue;
    const bpm = Math.round((day.bpm[minute] as number) + 0.7 * noise);
    const rmssd = isInBed ? Math.round(day.condition.hrvMs * Math.exp(0.16 * noise)) : rmssdAt(start);
    beats(start, start, bpm, day.offsetAt(start));
    variability(start, start, rmssd, day.offsetAt(start));
  }
  recordMorning(collector, day);
  for (const session of seeSleepsWithRing(day)) collector.addSleep(session);
}

function recordMorning(collector: DeviceRecordCollector, day: LivedDay): void {
  const woke = day.sleeps.find(({ kind }) => kind === 'night')?.end;
  if (woke === undefined || !isRingOnAtNight(day.person, day.date, day.story)) return;
  const { restingBpm, temperatureDeviationC } = day.condition;
  const report = (metric: string, value: number, unit: string) =>
    collector.series(metric, unit)(woke, woke, value, day.offsetAt(woke));
  report('resting_heart_rate', Math.round(restingBpm), 'bpm');
  report('sleep_heart_rate_min', Math.round(restingBpm - 1), 'bpm');
  report('sleep_temperature_deviation', Math.round(temperatureDeviationC * 100) / 100, '°C');
}
