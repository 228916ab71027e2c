// Sleep: from device records to canonical nights.
export { consolidateSleeps } from './consolidate-sleeps.ts';
export { type ContradictedTotal, findContradiction, isAsleepOverInBed } from './contradictions.ts';
export { explainUnused, type UnusedReason } from './explain-records.ts';
export { canStandIn, type DaySleep, type FilledField, fillSleep, fillSleeps } from './fill-sleep.ts';
export { findMainSleep, findSeenNight, listMainSessions } from './main-sleep.ts';
export { dateNights, dateSleeps, NIGHT_REACH_MS, nightOf, SAME_NIGHT_GAP_MS, sleepDate } from './nights.ts';
export { findHrvKind, type SleepDay, summarizeSleepDay } from './sleep-day.ts';
export { findSleepDetail } from './sleep-detail.ts';
export { isDescribed, readSleepMetric, sumByDevice } from './sleep-parts.ts';
export { groupDuplicates, joinGroup, type SleepGroup } from './sleep-record.ts';
export { countSleepMinutes, fillMinutes, type SleepMinutes, type SleepTotals, totalSleep } from './sleep-totals.ts';
export { flattenStages } from './stage-minutes.ts';
