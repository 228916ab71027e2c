// Sleep: from what devices reported to the night that is shown.
export { chooseSleeps } from './choose-sleeps.ts';
export { findMainSleep, listMainSessions, sleepDate } from './main-sleep.ts';
export { findHrvKind, type SleepDay, summarizeSleepDay } from './sleep-day.ts';
export { type SleepTotals, totalSleep } from './sleep-totals.ts';
