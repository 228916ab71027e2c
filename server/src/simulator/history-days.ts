// How far the life of simulated people goes back.

/** Before the day of the consent. */
export const HISTORY_DAYS = 30;
