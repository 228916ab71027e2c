// Ticks on full hours of a zone. Pure; days of 23 and 25 hours have as many.
import { HOUR_MS, QUARTER_MS } from '../time/durations.ts';
import { clock } from '../time/format-time.ts';

type TimeTick = { readonly ms: number; readonly label: string };

/** Every `everyHours` on the clock of the zone. The end is labelled 24:00 if it is midnight. */
export function timeTicks(fromMs: number, toMs: number, zone: string, everyHours: number): TimeTick[] {
  const ticks: TimeTick[] = [];
  for (let ms = Math.ceil(fromMs / QUARTER_MS) * QUARTER_MS; ms <= toMs; ) {
    const label = clock(ms, zone);
    const [hour = 0, minute = 0] = label.split(':').map(Number);
    if (minute === 0 && hour % everyHours === 0) {
      const isEnd = ms === toMs && hour === 0;
      ticks.push({ ms, label: isEnd ? '24:00' : label });
    }
    ms += minute === 0 ? HOUR_MS : QUARTER_MS; // after a full hour, the next one is at least an hour away
  }
  return ticks;
}
