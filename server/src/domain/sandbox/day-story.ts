// What makes a day another than it would have been. Ordinary days have none of it.

export type DayStory = {
  /** From 0, well, to 1, in bed with a fever. */
  readonly illness: number;
  readonly isRingOff: boolean;
  readonly isWatchOff: boolean;
  /** A run in the evening that the watch and an app on the phone both record. */
  readonly hasSharedRun: boolean;
  /** Hours in a seat: no walks, no sports. */
  readonly isFlying: boolean;
};

export const ORDINARY_DAY: DayStory = {
  illness: 0,
  isRingOff: false,
  isWatchOff: false,
  hasSharedRun: false,
  isFlying: false,
};
