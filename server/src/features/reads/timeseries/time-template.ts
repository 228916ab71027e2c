// Writes timestamps as JSON bytes: the surrounding text is encoded once, the hour when it changes, minutes and seconds per sample.
import { HOUR_MS, SECOND_MS } from '../../../domain/time/durations.ts';
import { putDigits } from '../../../platform/json-writer.ts';

const ZERO = 0x30;
const HOUR = '2000-01-01T00'; // replaced by the hour of the sample

/** Returns the bytes of a timestamp. The next call overwrites them. */
export type TimeTemplate = (epochMs: number) => Buffer;

/** Writes whole milliseconds like `formatInstant`, between two constant texts. */
export function createTimeTemplate(before: string, after: string): TimeTemplate {
  const ofSeconds = Buffer.from(`${before}${HOUR}:00:00Z${after}`);
  const ofMilliseconds = Buffer.from(`${before}${HOUR}:00:00.000Z${after}`);
  const hourAt = Buffer.byteLength(before);
  const minuteAt = hourAt + HOUR.length + ':'.length;
  let hourMs = Number.NaN;

  const enterHour = (epochMs: number) => {
    hourMs = Math.floor(epochMs / HOUR_MS) * HOUR_MS;
    const hour = new Date(hourMs).toISOString().slice(0, HOUR.length);
    ofSeconds.write(hour, hourAt);
    ofMilliseconds.write(hour, hourAt);
  };

  return (epochMs) => {
    if (!(epochMs >= hourMs && epochMs < hourMs + HOUR_MS)) enterHour(epochMs);
    const ofHour = (epochMs - hourMs) | 0;
    const seconds = (ofHour / SECOND_MS) | 0;
    const milliseconds = ofHour - seconds * SECOND_MS;
    const bytes = milliseconds === 0 ? ofSeconds : ofMilliseconds;
    const minute = (seconds / 60) | 0;
    putTwoDigits(bytes, minuteAt, minute);
    putTwoDigits(bytes, minuteAt + 3, seconds - minute * 60);
    if (milliseconds !== 0) putDigits(bytes, minuteAt + 6, milliseconds, 3);
    return bytes;
  };
}

/** Like `putDigits` without its loop, for two numbers per sample. */
function putTwoDigits(bytes: Buffer, at: number, number: number): void {
  const tens = (number / 10) | 0;
  bytes[at] = ZERO + tens;
  bytes[at + 1] = ZERO + number - tens * 10;
}
