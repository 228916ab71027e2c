// The only source of the current time, so that tests can set it.

export type Clock = { now(): Date; monotonicMs(): number };

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};
