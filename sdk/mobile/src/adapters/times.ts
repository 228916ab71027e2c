// Times with the offset of the place where they were measured, which the service keeps. Pure but for the phone's time zone.

export type TimeOptions = {
  /** Minutes east of UTC at that moment, where the bridge does not report it. Default: the phone's time zone. */
  readonly offsetMinutes?: (timeMs: number) => number;
};

export function phoneOffsetMinutes(timeMs: number): number {
  return -new Date(timeMs).getTimezoneOffset();
}

export function formatTime(timeMs: number, offsetMinutes: number): string {
  if (offsetMinutes === 0) return new Date(timeMs).toISOString();
  const local = new Date(timeMs + offsetMinutes * 60_000).toISOString().slice(0, -1);
  const [hours, minutes] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
}

/** A Date, ISO 8601, or `2026-03-01T07:00:00.000+0100` as react-native-health writes it. NaN if it is none of them. */
export function parseTime(value: unknown): number {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? Date.parse(value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')) : Number.NaN;
}

/** Minutes of an offset at the end of the text, or null. */
export function offsetOfText(value: unknown): number | null {
  const match = typeof value === 'string' ? /([+-])(\d\d):?(\d\d)$/.exec(value) : null;
  if (match === null) return null;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]));
}

/** At that moment in an IANA zone, or null if the runtime does not know the zone. */
export function offsetOfZone(zone: unknown, timeMs: number): number | null {
  if (typeof zone !== 'string') return null;
  try {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(
      timeMs,
    );
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return name === 'GMT' ? 0 : offsetOfText(name);
  } catch {
    return null;
  }
}

/**
 * Logged records, such as the foods of one meal, often have the same time, and the service keeps one sample per metric and time.
 * Those whose seconds or milliseconds are zero are moved within that minute or second, always to the same place for the same id.
 */
export function spreadTime(timeMs: number, id: string | undefined): number {
  if (id === undefined) return timeMs;
  const roomMs = timeMs % 60_000 === 0 ? 60_000 : timeMs % 1_000 === 0 ? 1_000 : 1;
  let hash = 2_166_136_261;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 16_777_619);
  return timeMs + ((hash >>> 0) % roomMs);
}
