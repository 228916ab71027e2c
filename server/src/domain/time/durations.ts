// Lengths of time, so that each is written once and `5 * MINUTE_MS` says what `300_000` hides.

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
/** 24 hours. A local day with a clock change is an hour shorter or longer; see `Zone`. */
export const DAY_MS = 24 * HOUR_MS;

export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 24 * HOUR_SECONDS;

export const DAY_MINUTES = 24 * 60;
