// Special events of a day. Ordinary days have none.

export type DayStory = {
  /** From 0 (healthy) to 1 (in bed with a fever). */
  readonly illness: number;
  readonly isRingOff: boolean;
  readonly isWatchOff: boolean;
  /** An evening run that the watch and an app on the phone both record. */
  readonly hasSharedRun: boolean;
  /** Hours in an aircraft seat: no walks, no sports. */
  readonly isFlying: boolean;
};

export const ORDINARY_DAY: DayStory = {
  illness: 0,
  isRingOff: false,
  isWatchOff: false,
  hasSharedRun: false,
  isFlying: false,
};
