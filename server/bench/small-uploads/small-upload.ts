// What a phone sends every few minutes: the newest heart rates and the steps of the day so far.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/time/durations.ts';

const SAMPLES = 5;
const STEP_MS = 10 * SECOND_MS;
const EVENING_HOUR = 20;
/** No phone sends it in a measurement, and it is over in the evening. */
export const LAST_MINUTE = EVENING_HOUR * 60 - 1;
const MOST_HOURS_EAST = 14;

/** A zone in which most of the present day is over, so that there is room for its samples. */
export type Evening = { readonly timezone: string; readonly dayStartMs: number; readonly date: string };

export function findEvening(now: Date): Evening {
  const ahead = EVENING_HOUR - now.getUTCHours();
  const hoursEast = ahead > MOST_HOURS_EAST ? ahead - 24 : ahead;
  const date = new Date(now.getTime() + hoursEast * HOUR_MS).toISOString().slice(0, 10);
  const sign = hoursEast > 0 ? '-' : '+'; // of these zones, GMT-3 is east of Greenwich
  const timezone = hoursEast === 0 ? 'UTC' : `Etc/GMT${sign}${Math.abs(hoursEast)}`;
  return { timezone, dayStartMs: Date.parse(`${date}T00:00:00Z`) - hoursEast * HOUR_MS, date };
}

/** Each minute of the day has other samples. */
export function makeSmallUpload(uploadId: string, minute: number, { dayStartMs, date }: Evening): object {
  const startMs = dayStartMs + minute * MINUTE_MS;
  const samples = Array.from({ length: SAMPLES }, (_, index) => ({
    metric: 'heart_rate',
    start: new Date(startMs + index * STEP_MS).toISOString(),
    value: 60 + ((minute * 7 + index * 3) % 40),
    unit: 'bpm',
  }));
  const steps = minute * 6 + 1;
  return {
    upload_id: uploadId,
    source: { provider: 'apple_health', id: 'watch-1', name: 'Watch', device_class: 'wrist' },
    samples,
    daily: [{ metric: 'steps', date, value: steps, unit: 'count' }],
  };
}
