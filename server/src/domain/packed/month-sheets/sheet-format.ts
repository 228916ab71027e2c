// What encoder and decoder agree on. The layout stands in docs/decisions/0009-month-sheets.md.

/** The first byte of a sheet. A new layout takes the next number; old ones stay readable for as long as rows hold them. */
export const SHEET_VERSION = 1;

export const MAX_DAYS = 31;

/** Fits the smallint that stands for a metric in other rows. */
export const MAX_METRIC = 32_767;

/** A unit, or the numbers of a few hundred devices. */
export const MAX_NOTE_BYTES = 1_024;

/**
 * What integers are divided by to give the values: short decimals, and minutes that were counted in seconds or milliseconds.
 * The places are stored: append only.
 */
export const DIVISORS: readonly number[] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 60, 60_000];

/** In place of a divisor: the values stand as doubles. */
export const DOUBLES = 15;
export const DOUBLE_BYTES = 8;

/** Of one distance; those of integers up to MAX_SCALED fit. */
export const MAX_WIDTH = 7;
