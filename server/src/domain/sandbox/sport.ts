// The sports of simulated users, and their intensity.

export type SimulatedSport = {
  /** Steady-state fraction of the heart-rate reserve. */
  readonly effort: number;
  /** Above rest. */
  readonly mets: number;
  readonly minutes: readonly [min: number, max: number];
  readonly kmPerHour: number | null;
  readonly stepsPerMinute: number;
  readonly climbMetresPerKm: number;
};

export const SIMULATED_SPORTS = {
  running: { effort: 0.7, mets: 8.6, minutes: [28, 55], kmPerHour: 10, stepsPerMinute: 162, climbMetresPerKm: 8 },
  cycling: { effort: 0.6, mets: 6.4, minutes: [40, 85], kmPerHour: 23, stepsPerMinute: 0, climbMetresPerKm: 9 },
  strength_training: {
    effort: 0.42,
    mets: 4.2,
    minutes: [35, 60],
    kmPerHour: null,
    stepsPerMinute: 12,
    climbMetresPerKm: 0,
  },
  pool_swimming: { effort: 0.58, mets: 6.8, minutes: [25, 45], kmPerHour: 2.4, stepsPerMinute: 0, climbMetresPerKm: 0 },
  yoga: { effort: 0.22, mets: 1.8, minutes: [30, 60], kmPerHour: null, stepsPerMinute: 2, climbMetresPerKm: 0 },
  hiking: { effort: 0.42, mets: 4.6, minutes: [70, 150], kmPerHour: 4.6, stepsPerMinute: 102, climbMetresPerKm: 35 },
} as const satisfies Record<string, SimulatedSport>;
export type SportName = keyof typeof SIMULATED_SPORTS;
export const SPORT_NAMES = Object.keys(SIMULATED_SPORTS) as [SportName, ...SportName[]];
