// Constants shared by encoder and decoder. docs/decisions/0009-month-sheets.md describes the layout.

/** The first byte of a sheet. A new layout takes the next number; old ones stay readable as long as rows hold them. */
export const SHEET_VERSION = 1;

export const MAX_DAYS = 31;

/** Fits the smallint that identifies a metric in other rows. */
export const MAX_METRIC = 32_767;

/** Enough for a unit, or for the numbers and values of a few hundred devices. */
export const MAX_NOTE_BYTES = 8_192;

/**
 * Divisors that turn stored integers into values: short decimals, and minutes converted from seconds or milliseconds.
 * Their indexes are stored, so append only.
 */
export const DIVISORS: readonly number[] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 60, 60_000];

/** Stored instead of a divisor if the values are doubles. */
export const DOUBLES = 15;
export const DOUBLE_BYTES = 8;

/** Bytes of one distance; distances of integers up to MAX_SCALED fit. */
export const MAX_WIDTH = 7;
