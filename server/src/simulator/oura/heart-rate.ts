// Heart rate by time: every five minutes in bed and at rest, every minute of a workout. Always in UTC.

import { isDuring } from '../../domain/sandbox/index.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';

type Beat = { readonly bpm: number; readonly source: 'sleep' | 'rest' | 'workout'; readonly timestamp: string };

/** [from, to) */
export function listHeartRate(view: AccountView, from: number, to: number): Beat[] {
  const { zone } = view.account;
  const days = view.days(zone.dayAt(from).date, zone.dayAt(to).date);
  return days
    .flatMap(listBeats)
    .filter(({ ms }) => ms >= from && ms < to)
    .map(({ ms, ...beat }) => ({ ...beat, timestamp: `${new Date(ms).toISOString().slice(0, -5)}+00:00` }));
}

type TimedBeat = Omit<Beat, 'timestamp'> & { readonly ms: number };

function listBeats(day: AccountDay): TimedBeat[] {
  const { lived, workouts } = day;
  const atRest = day.series('heart_rate').map(({ startMs: ms, value: bpm }): TimedBeat => {
    return { ms, bpm, source: isDuring(lived.beds, ms) ? 'sleep' : 'rest' };
  });
  const atWork = workouts.flatMap(({ start, end }) => {
    const first = Math.ceil((start - lived.fromMs) / MINUTE_MS);
    const last = Math.min(lived.bpm.length, Math.floor((end - lived.fromMs) / MINUTE_MS));
    const minutes = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
    return minutes.map((minute): TimedBeat => {
      return { ms: lived.fromMs + minute * MINUTE_MS, bpm: Math.round(lived.bpm[minute] ?? 0), source: 'workout' };
    });
  });
  return [...atRest, ...atWork].sort((a, b) => a.ms - b.ms);
}
