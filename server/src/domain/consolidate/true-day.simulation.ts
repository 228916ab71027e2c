// Simulated days with known steps, and the reports of devices about them, to compare merge rules (true-day.test.ts).
import { MINUTE_MS } from '../time/durations.ts';
import type { SampleSeries } from '../time/quarter-hours.ts';

const MINUTES = 1_440;
const DAY = { start: 0, end: MINUTES * MINUTE_MS };

/** One device's report of a day. */
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
  /** Whether a device reports zeros for hours in which it was not worn and the user walked. */
  readonly hasIdleZeros: boolean;
  /** Whether the phone counts the shaking of a car while a watch that is worn all day reports zeros. */
  readonly hasShaking: boolean;
};

/** Two consecutive days, with a device whose samples cross the midnight between them. */
export type SimulatedPair = {
  readonly days: readonly { readonly start: number; readonly end: number; readonly trueSteps: number }[];
  /** Best first. */
  readonly reports: readonly Report[];
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

export function simulatePairs(count: number): SimulatedPair[] {
  const random = createRandom(20_261_116);
  return Array.from({ length: count }, () => simulatePair(random));
}

function simulatePair(random: Random): SimulatedPair {
  const truth = [walkThroughDay(random), walkThroughDay(random)];
  const watches = truth.map(({ steps }) => wearWatch(random, steps));
  const coarse = random.isTrue(0.7)
    ? truth.map(({ steps, drives }) => carryPhone(random, steps, drives).counted)
    : truth.map(({ steps }) => wearRing(random, steps).counted);
  const heartRateTimes = watches.flatMap(({ report }, day) =>
    report.heartRateTimes.map((time) => time + day * DAY.end),
  );
  const watch = makeReport(
    joinMinutes(watches.map(({ counted }) => counted)),
    random.pick([1, 5, 15, 60]),
    random.isTrue(0.7),
    heartRateTimes,
  );
  const pieceMinutes = random.pick([240, 480, 720, 1_440]);
  // A shorter first piece, so that one begins before midnight and ends after it.
  const firstPiece = 60 * random.between(1, pieceMinutes / 60 - 1);
  const long = makeReport(joinMinutes(coarse), pieceMinutes, false, [], firstPiece);
  return {
    days: truth.map(({ steps }, day) => ({
      start: day * DAY.end,
      end: (day + 1) * DAY.end,
      trueSteps: steps.reduce((sum, value) => sum + value, 0),
    })),
    reports: random.isTrue(0.7) ? [watch, long] : [long, watch],
  };
}

function joinMinutes(days: readonly Minutes[]): Minutes {
  const joined = new Float64Array(days.length * MINUTES);
  days.forEach((minutes, day) => {
    joined.set(minutes, day * MINUTES);
  });
  return joined;
}

function simulateDay(random: Random): SimulatedDay {
  const { steps, drives } = walkThroughDay(random);
  const watch = wearWatch(random, steps);
  const phone = carryPhone(random, steps, drives);
  const others = random.isTrue(0.3) ? [wearRing(random, steps).report] : [];
  // Mobile SDK sources rank first whatever they are, and the watch may come from a cloud.
  const pair = random.isTrue(0.7) ? [watch.report, phone.report] : [phone.report, watch.report];
  return {
    day: DAY,
    trueSteps: steps.reduce((sum, value) => sum + value, 0),
    reports: [...pair, ...others],
    hasIdleZeros: watch.hasIdleZeros,
    hasShaking: watch.isWornAllDay && watch.saysZero && phone.hasShaking,
  };
}

/** Walks of 2 to 45 minutes between 7:00 and 23:00, and two drives without steps. */
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

/** Not worn while charging, or from the morning or the afternoon on. */
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
  const report = makeReport(counted, pieceMinutes, saysZero, heartRateTimes);
  return { report, counted, saysZero, isWornAllDay, hasIdleZeros };
}

function listHeartRates(worn: Worn, everyMinutes: number): number[] {
  const times: number[] = [];
  for (let minute = 0; minute < MINUTES; minute += everyMinutes) if (worn[minute] === 1) times.push(minute * MINUTE_MS);
  return times;
}

/** Carried on most walks; counts some of the shaking of a car. */
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
  return { report: makeReport(counted, random.pick([1, 10, 60, 180, 1_440]), false, []), counted, hasShaking };
}

/** Worn day and night but rarely exact; its cloud reports a few sums per day. */
function wearRing(random: Random, steps: Minutes): { report: Report; counted: Minutes } {
  const accuracy = 0.85 + random.next() * 0.3;
  const counted = steps.map((value) => value * accuracy);
  return { report: makeReport(counted, random.pick([60, 240, 1_440]), false, []), counted };
}

function makeReport(
  counted: Minutes,
  pieceMinutes: number,
  saysZero: boolean,
  heartRateTimes: readonly number[],
  firstPiece = pieceMinutes,
): Report {
  const rows: [start: number, end: number, value: number][] = [];
  for (let from = 0, to = firstPiece; from < counted.length; from = to, to += pieceMinutes) {
    const value = counted.subarray(from, to).reduce((sum, one) => sum + one, 0);
    if (value > 0 || saysZero)
      rows.push([from * MINUTE_MS, Math.min(to, counted.length) * MINUTE_MS, Math.round(value)]);
  }
  const pieceMs = pieceMinutes * MINUTE_MS;
  return {
    samples: {
      starts: rows.map(([start]) => start),
      ends: rows.map(([, end]) => end),
      values: rows.map(([, , value]) => value),
    },
    pieceMs,
    heartRateTimes,
  };
}

/** mulberry32: small, and the same on every machine. */
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
