// What a phone sends every few minutes: the newest heart rates and the steps of the day so far.
import { MINUTE_MS, SECOND_MS } from '../../src/domain/time/durations.ts';

const FIRST_DAY_MS = Date.UTC(2025, 0, 1);
const MINUTES_A_DAY = 1_440;
const SAMPLES = 5;
const STEP_MS = 10 * SECOND_MS;

/** `minute` counts from the first day of the phone; each has other samples. */
export function makeSmallUpload(uploadId: string, minute: number): object {
  const startMs = FIRST_DAY_MS + minute * MINUTE_MS;
  const samples = Array.from({ length: SAMPLES }, (_, index) => ({
    metric: 'heart_rate',
    start: new Date(startMs + index * STEP_MS).toISOString(),
    value: 60 + ((minute * 7 + index * 3) % 40),
    unit: 'bpm',
  }));
  const steps = (minute % MINUTES_A_DAY) * 6 + 1;
  const date = new Date(startMs).toISOString().slice(0, 10);
  return {
    upload_id: uploadId,
    source: { provider: 'apple_health', id: 'watch-1', name: 'Watch', device_class: 'wrist' },
    samples,
    daily: [{ metric: 'steps', date, value: steps, unit: 'count' }],
  };
}
