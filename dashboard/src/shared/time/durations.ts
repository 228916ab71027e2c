// Lengths of time in milliseconds.

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const QUARTER_MS = 15 * MINUTE_MS;
export const HOUR_MS = 60 * MINUTE_MS;
/** 24 hours. A local day with a clock change is an hour shorter or longer. */
export const DAY_MS = 24 * HOUR_MS;
