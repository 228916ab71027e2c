// Days whose steps are known, and what devices report of them. For the comparison of merges (true-day.test.ts).
import type { SampleSeries } from '../time/quarter-hours.ts';

const MINUTE_MS = 60_000;
const MINUTES = 1_440;
const DAY = { start: 0, end: MINUTES * MINUTE_MS };

/** What one device says of a day. */
export type Report = {
  readonly samples: SampleSeries;
  readonly pieceMs: number;
  readonly heartRateTimes: readonly number[];
};

export type SimulatedDay = {
  readonly day: typeof DAY;
  readonly trueSteps: number;
  /** Best first. */
  readonly reports: readonly Report[];
  /** Whether a device reports zeros for hours in which it was not worn and the person walked. */
  readonly hasIdleZeros: boolean;
  /** Whether the phone counts a car's shaking, while a watch that is worn all day reports zeros. */
  readonly hasShaking: boolean;
};

type Random = {
  /** In [0, 1). */
  next(): number;
  isTrue(chance: number): boolean;
  between(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
};

type Minutes = Float64Array;
type Worn = Uint8Array;

export function simulateDays(count: number): SimulatedDay[] {
  const random = createRandom(20_261_115);
  return Array.from({ length: count }, () => simulateDay(random));
}

function simulateDay(random: Random): SimulatedDay {
  const { steps, drives } = walkThroughDay(random);
  const watch = wearWatch(random, steps);
  const phone = carryPhone(random, steps, drives);
  const others = random.isTrue(0.3) ? [wearRing(random, steps)] : [];
  // Mobile SDK sources rank first whatever they are: the watch may be a cloud's.
  const pair = random.isTrue(0.7) ? [watch.report, phone.report] : [phone.report, watch.report];
  return {
    day: DAY,
    trueSteps: steps.reduce((sum, value) => sum + value, 0),
    reports: [...pair, ...others],
    hasIdleZeros: watch.hasIdleZeros,
    hasShaking: watch.isWornAllDay && watch.saysZero && phone.hasShaking,
  };
}

/** Walks of 2 to 45 minutes between 7:00 and 23:00, and two drives in which nobody walks. */
function walkThroughDay(random: Random): { steps: Minutes; drives: Worn } {
  const steps = new Float64Array(MINUTES);
  const drives = new Uint8Array(MINUTES);
  for (const from of [random.between(450, 540), random.between(1_000, 1_100)])
    if (random.isTrue(0.6)) drives.fill(1, from, from + random.between(15, 40));
  const walks = random.between(8, 24);
  for (let walk = 0; walk < walks; walk += 1) {
    const start = random.between(420, 1_360);
    const pace = random.between(30, 120);
    const minutes = random.isTrue(0.8) ? random.between(2, 12) : random.between(15, 45);
    for (let minute = start; minute < start + minutes; minute += 1) if (drives[minute] === 0) steps[minute] = pace;
  }
  return { steps, drives };
}

/** Off the wrist for a charge, or from the morning or the afternoon on. */
function wearWatch(random: Random, steps: Minutes) {
  const worn = new Uint8Array(MINUTES).fill(1);
  const off = random.next();
  if (off < 0.35) {
    const from = random.between(420, 1_250);
    worn.fill(0, from, from + random.between(40, 200));
  } else if (off < 0.5) worn.fill(0, random.between(500, 1_000));
  const pieceMinutes = random.pick([1, 5, 15, 60]);
  const saysZero = random.isTrue(0.7);
  const accuracy = 0.95 + random.next() * 0.1;
  const counted = steps.map((value, minute) => value * (worn[minute] as number) * accuracy);
  const heartRateTimes = random.isTrue(0.8) ? listHeartRates(worn, random.pick([1, 5, 10, 30, 60])) : [];
  const hasIdleZeros = saysZero && steps.some((value, minute) => value > 0 && worn[minute] === 0);
  const isWornAllDay = worn.every((minute) => minute === 1);
  return { report: makeReport(counted, pieceMinutes, saysZero, heartRateTimes), saysZero, isWornAllDay, hasIdleZeros };
}

function listHeartRates(worn: Worn, everyMinutes: number): number[] {
  const times: number[] = [];
  for (let minute = 0; minute < MINUTES; minute += everyMinutes) if (worn[minute] === 1) times.push(minute * MINUTE_MS);
  return times;
}

/** In the pocket on most walks; counts some of the shaking of a car. */
function carryPhone(random: Random, steps: Minutes, drives: Worn) {
  const share = random.pick([0.5, 0.7, 0.9]);
  const accuracy = 0.95 + random.next() * 0.1;
  const shakes = random.isTrue(0.5) ? random.between(5, 25) : 0;
  const counted = new Float64Array(MINUTES);
  let isCarried = false;
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const value = steps[minute] as number;
    if (value > 0 && (minute === 0 || steps[minute - 1] === 0)) isCarried = random.isTrue(share);
    if (value > 0 && isCarried) counted[minute] = value * accuracy;
    else if (drives[minute] === 1) counted[minute] = shakes;
  }
  const hasShaking = shakes > 0 && drives.some((minute) => minute === 1);
  return { report: makeReport(counted, random.pick([1, 10, 60, 180, 1_440]), false, []), hasShaking };
}

/** Worn day and night, seldom exact; its cloud gives a few sums a day. */
function wearRing(random: Random, steps: Minutes): Report {
  const accuracy = 0.85 + random.next() * 0.3;
  const counted = steps.map((value) => value * accuracy);
  return makeReport(counted, random.pick([60, 240, 1_440]), false, []);
}

function makeReport(
  counted: Minutes,
  pieceMinutes: number,
  saysZero: boolean,
  heartRateTimes: readonly number[],
): Report {
  const rows: [start: number, value: number][] = [];
  for (let from = 0; from < MINUTES; from += pieceMinutes) {
    const value = counted.subarray(from, from + pieceMinutes).reduce((sum, one) => sum + one, 0);
    if (value > 0 || saysZero) rows.push([from * MINUTE_MS, Math.round(value)]);
  }
  const pieceMs = pieceMinutes * MINUTE_MS;
  return {
    samples: {
      starts: rows.map(([start]) => start),
      ends: rows.map(([start]) => start + pieceMs),
      values: rows.map(([, value]) => value),
    },
    pieceMs,
    heartRateTimes,
  };
}

/** mulberry32: small, and the same everywhere. */
function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    isTrue: (chance) => next() < chance,
    pick: (list) => list[between(0, list.length - 1)] as (typeof list)[number],
  };
}
