// Timestamps as devices send them: YYYY-MM-DDTHH:MM:SS, up to nine fractional digits, then Z or ±HH:MM. A hand-written
// parser because an upload has thousands; stricter than Temporal, and always the same moment.

const DAYS_BEFORE_MONTH = Int16Array.of(0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334);
const DAYS_IN_MONTH = Int8Array.of(0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31);
const DAYS_BEFORE_1970 = 719_162; // counted from 0001-01-01

const SHORTEST = '2026-01-31T07:05:09Z'.length;
const LONGEST = '2026-01-31T07:05:09.123456789+01:00'.length;
const OFFSET_LENGTH = '+01:00'.length;
const FRACTION_AT = 19;
const MAX_FRACTION_DIGITS = 9;

const DASH = 45;
const POINT = 46;
const ZERO = 48;
const COLON = 58;
const PLUS = 43;
const LETTER_T = 84;
const LETTER_Z = 90;
const SIGN_BIT = 1 << 31;

/** Every UTC offset is shorter than a day; those of real zones lie between -12:00 and +14:00. */
export const OFFSET_LIMIT_MINUTES = 24 * 60;

export function isOffsetMinutes(minutes: number): boolean {
  return Number.isInteger(minutes) && Math.abs(minutes) < OFFSET_LIMIT_MINUTES;
}

/**
 * Milliseconds since 1970, or NaN. Digits beyond the millisecond are truncated, so that a moment never moves forward.
 */
export function parseInstant(text: string): number {
  if (text.length < SHORTEST || text.length > LONGEST || !hasSeparators(text)) return Number.NaN;
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  if (hour > 23 || minute > 59 || second > 59 || (hour | minute | second) < 0) return Number.NaN;
  const zoneAt = findZone(text);
  const offset = offsetMinutesAt(text, zoneAt); // NaN propagates, as from the day
  return (((readDay(text) * 24 + hour) * 60 + minute - offset) * 60 + second) * 1_000 + readMilliseconds(text, zoneAt);
}

/** The UTC offset. Only for texts that `parseInstant` accepts. */
export function readOffsetMinutes(text: string): number {
  if (text.charCodeAt(text.length - 1) === LETTER_Z) return 0;
  return offsetMinutesAt(text, text.length - OFFSET_LENGTH);
}

/** Z or ±HH:MM in minutes, or NaN. */
export function parseOffset(text: string): number {
  return offsetMinutesAt(text, 0);
}

function hasSeparators(text: string): boolean {
  return (
    text.charCodeAt(4) === DASH &&
    text.charCodeAt(7) === DASH &&
    text.charCodeAt(10) === LETTER_T &&
    text.charCodeAt(13) === COLON &&
    text.charCodeAt(16) === COLON
  );
}

/** Days since 1970 of the first ten characters; NaN for a day that does not exist. */
function readDay(text: string): number {
  const century = twoDigits(text, 0);
  const yearOfCentury = twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (century < 0 || yearOfCentury < 0 || month < 1 || month > 12 || day < 1) return Number.NaN;
  const year = century * 100 + yearOfCentury;
  const isLeap = (year & 3) === 0 && (yearOfCentury !== 0 || (year & 15) === 0);
  if (day > (DAYS_IN_MONTH[month] as number) + (isLeap && month === 2 ? 1 : 0)) return Number.NaN;
  const before = year - 1;
  const leapDays = (before >> 2) - ((before / 100) | 0) + ((before / 400) | 0); // for year 0 the last two cancel out
  const dayOfYear = (DAYS_BEFORE_MONTH[month] as number) + (isLeap && month > 2 ? 1 : 0) + day - 1;
  return before * 365 + leapDays + dayOfYear - DAYS_BEFORE_1970;
}

/** The end of the fractional seconds; past the text if the fraction is invalid. */
function findZone(text: string): number {
  if (text.charCodeAt(FRACTION_AT) !== POINT) return FRACTION_AT;
  let at = FRACTION_AT + 1;
  while (isDigit(text, at)) at += 1;
  const digits = at - FRACTION_AT - 1;
  return digits > 0 && digits <= MAX_FRACTION_DIGITS ? at : text.length;
}

function readMilliseconds(text: string, zoneAt: number): number {
  if (zoneAt === FRACTION_AT) return 0;
  const digit = (at: number) => (at < zoneAt ? text.charCodeAt(at) - ZERO : 0);
  return digit(FRACTION_AT + 1) * 100 + digit(FRACTION_AT + 2) * 10 + digit(FRACTION_AT + 3);
}

function offsetMinutesAt(text: string, at: number): number {
  const sign = text.charCodeAt(at);
  if (sign === LETTER_Z) return at + 1 === text.length ? 0 : Number.NaN;
  if (sign !== PLUS && sign !== DASH) return Number.NaN;
  if (at + OFFSET_LENGTH !== text.length || text.charCodeAt(at + 3) !== COLON) return Number.NaN;
  const hours = twoDigits(text, at + 1);
  const minutes = twoDigits(text, at + 4);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return Number.NaN;
  const total = hours * 60 + minutes;
  return sign === PLUS || total === 0 ? total : -total; // no -0
}

/** Negative if a character is not a digit. Branch-free, because uploads spend most of their time here. */
function twoDigits(text: string, at: number): number {
  const tens = (text.charCodeAt(at) | 0) - ZERO;
  const ones = (text.charCodeAt(at + 1) | 0) - ZERO;
  return (tens * 10 + ones) | ((tens | (9 - tens) | ones | (9 - ones)) & SIGN_BIT);
}

function isDigit(text: string, at: number): boolean {
  const digit = text.charCodeAt(at) - ZERO;
  return digit >= 0 && digit <= 9;
}
