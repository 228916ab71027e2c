// Simulated users: their days, and what three devices record of them. A day is a function of the user and the date.
export { type DayStory, ORDINARY_DAY } from './day-story.ts';
export { recordDays, SAMPLED_METRICS, SANDBOX_DEVICES, type SandboxDevice } from './device-records.ts';
export { createDraw, type Draw } from './draw.ts';
export { inputsOfDay } from './hidden-inputs.ts';
export { liveJourney } from './journey.ts';
export { bedtimeAfter, type LivedDay, liveDay, planNights } from './lived-day.ts';
export { drawPerson, drawSex, type Person } from './person.ts';
export { weighOn } from './phone.ts';
export type { DeviceRecords } from './record-collector.ts';
export { listSleepNames, listWorkoutNames } from './record-names.ts';
export { seeWorkoutsWithWatch } from './seen-workout.ts';
export type { SportName } from './sport.ts';
export { momentAt } from './wall-time.ts';
export { vo2MaxOf } from './watch.ts';
export { isDuring, listRingGaps, listWatchGaps } from './wear.ts';
