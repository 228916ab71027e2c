// How many days of data simulated users have before the consent.

export const HISTORY_DAYS = 30;
