// People who do not exist: their days, and what three devices make of them. A day is a function of the person and the date.
export { type DayStory, ORDINARY_DAY } from './day-story.ts';
export {
  recordDays,
  SAMPLED_METRICS,
  SANDBOX_DEVICES,
  type SandboxDevice,
} from './device-records.ts';
export { type HrvSeries, inputsOfDay } from './hidden-inputs.ts';
export { type Journey, liveJourney } from './journey.ts';
export { bedtimeAfter, type DayRequest, type LivedDay, liveDay } from './lived-day.ts';
export { drawPerson, type KnownOfPerson, type Person } from './person.ts';
export type { DeviceRecords } from './record-book.ts';
export { listSleepNames, listWorkoutNames } from './record-names.ts';
