// Times without an offset, as many exports have them: in the user's time zone.
import { createZone } from '../../../domain/time/day.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';

export type LocalTimes = {
  /** "2026-03-09T07:30:00", with or without milliseconds, as a time with an offset. Null: no such text. */
  toInstant(text: string): string | null;
  /** A time with or without an offset, in milliseconds. NaN: no such text. */
  parse(text: string): number;
  /** A moment with the offset that the zone has then. */
  format(ms: number): string;
};

const OFFSET = /(?:Z|[+-]\d\d:?\d\d)$/i;
/** Seconds may have more digits than milliseconds. */
const LOCAL_LENGTH = '2026-03-09T07:30:00.000'.length;
const LOCAL = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?$/;

export function createLocalTimes(timeZone: string | null): LocalTimes {
  const zone = createZone(timeZone);
  const format = (ms: number) => formatWithOffset(ms, zone.offsetMinutesAt(ms));
  const toInstant = (text: string) => {
    const [, date, time, seconds = ':00'] = LOCAL.exec(text) ?? [];
    const utcMs = date === undefined ? Number.NaN : Date.parse(`${date}T${time}${seconds}Z`);
    if (Number.isNaN(utcMs)) return null;
    // The offset before a change of the clock may differ from the one at the same digits in UTC.
    const guess = utcMs - zone.offsetMinutesAt(utcMs) * MINUTE_MS;
    return format(utcMs - zone.offsetMinutesAt(guess) * MINUTE_MS);
  };
  return {
    format,
    toInstant,
    // Without an offset, Date.parse would read the time in the time zone of this machine.
    parse: (text) => Date.parse(OFFSET.test(text) ? text : (toInstant(text.slice(0, LOCAL_LENGTH)) ?? '')),
  };
}

export function formatWithOffset(ms: number, offsetMinutes: number): string {
  const local = new Date(ms + offsetMinutes * MINUTE_MS).toISOString().replace('.000Z', '').replace('Z', '');
  const size = Math.abs(offsetMinutes);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
