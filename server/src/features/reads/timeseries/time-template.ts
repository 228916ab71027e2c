// Writes timestamps as JSON bytes: the surrounding text and the hour are encoded once, minutes and seconds are set per sample.
import { HOUR_MS, SECOND_MS } from '../../../domain/time/durations.ts';
import { putDigits } from '../../../platform/json-writer.ts';

/** Returns the bytes of a timestamp. The next call overwrites them. */
export type TimeTemplate = (epochMs: number) => Buffer;

/** Writes whole milliseconds like `formatInstant`, between two constant texts. */
export function createTimeTemplate(before: string, after: string): TimeTemplate {
  let hourMs = Number.NaN;
  let minuteAt = 0;
  let ofSeconds: Buffer;
  let ofMilliseconds: Buffer;

  const enterHour = (epochMs: number) => {
    hourMs = Math.floor(epochMs / HOUR_MS) * HOUR_MS;
    const head = before + new Date(hourMs).toISOString().slice(0, -'00:00.000Z'.length);
    minuteAt = Buffer.byteLength(head);
    ofSeconds = Buffer.from(`${head}00:00Z${after}`);
    ofMilliseconds = Buffer.from(`${head}00:00.000Z${after}`);
  };

  return (epochMs) => {
    if (!(epochMs >= hourMs && epochMs < hourMs + HOUR_MS)) enterHour(epochMs);
    const ofHour = (epochMs - hourMs) | 0;
    const seconds = (ofHour / SECOND_MS) | 0;
    const milliseconds = ofHour - seconds * SECOND_MS;
    const bytes = milliseconds === 0 ? ofSeconds : ofMilliseconds;
    const minute = (seconds / 60) | 0;
    putDigits(bytes, minuteAt, minute, 2);
    putDigits(bytes, minuteAt + 3, seconds - minute * 60, 2);
    if (milliseconds !== 0) putDigits(bytes, minuteAt + 6, milliseconds, 3);
    return bytes;
  };
}
