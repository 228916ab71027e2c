// Which device counts in each quarter hour of a day, for totals (gaps G-33, G-36). The day's value, the timeseries, the
// scores and explain all use this, so that they agree. In this order:
//
// 1. Samples of up to an hour: the highest-ranked device with one in the quarter hour. A zero counts only with evidence
//    that the device was worn in that hour: a heart rate, or a count other than zero.
// 2. Longer samples, the shortest first. They include what other devices counted in their time; the rest is spread over
//    the quarter hours that no other device covers. If a sample crosses midnight, series-days.ts has already divided
//    the rest between the days.
// 3. Zeros without evidence, where nothing else is left.
// 4. If nobody has a quarter hour yet, because the long samples of the day were counted on other days: zeros of the
//    highest-ranked device.
import type { LocalDate } from '../time/calendar.ts';
import type { Zone } from '../time/day.ts';
import {
  type LongSample,
  QUARTER_HOUR_MS,
  type QuarterHours,
  quarterHourOf,
  spreadOverQuarterHours,
} from '../time/quarter-hours.ts';

/** One device's samples of a day. */
export type DayOfDevice = {
  readonly quarterHours: QuarterHours;
  /** UTC hours (`hourOf`) in which it measured a heart rate; undefined: none known. */
  readonly wornHours?: ReadonlySet<number> | undefined;
};

/**
 * The result for a sample longer than an hour: for all of it if it was divided between days, else for its part in the
 * day.
 */
export type Spread = {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly value: number;
  /** The rest, which is spread over `freeMs` of its time in this day. */
  readonly counted: number;
  readonly freeMs: number;
};

export type MergedDay = {
  /** The quarter hours in which a device counts, ascending. */
  quarters(): number[];
  /** The index of the owning device in `ranked`; -1: none. */
  ownerOf(quarter: number): number;
  /** The amount that counts in the quarter hour. */
  amountOf(quarter: number): number;
  /** By index in `ranked`. */
  readonly spreads: readonly (readonly Spread[])[];
  /** By index in `ranked`: quarter hours whose zero was dropped because another device counts something. */
  readonly droppedZeros: readonly (readonly number[])[];
  /** Indexes of devices that count with more than zeros without evidence. */
  readonly counting: ReadonlySet<number>;
};

/** Whether no other device covers a part of it. */
export function isWhole({ start, end, value, counted, freeMs }: Spread): boolean {
  return counted === value && freeMs === end - start;
}

const QUARTERS_AN_HOUR = 4;

/** The UTC hour of a quarter hour. */
export function hourOf(quarter: number): number {
  return Math.floor(quarter / QUARTERS_AN_HOUR);
}

const NOBODY = -1;

/** Takes enabled devices only, best first. */
export function mergeDay(ranked: readonly DayOfDevice[]): MergedDay {
  const merging = new Merging(ranked);
  const unworn = ranked.map((device, index) => countFine(merging, device, index));
  // Evidence changes nothing where a higher-ranked device counts.
  const zeros = unworn.map((quarters, index) =>
    quarters.filter((quarter) => {
      const owner = merging.ownerOf(quarter);
      return owner === NOBODY || owner > index;
    }),
  );
  countLong(merging, ranked);
  merging.droppedZeros = zeros.map((quarters, index) =>
    quarters.filter((quarter) => merging.claim(quarter, index, 0) !== index && merging.amountOf(quarter) !== 0),
  );
  claimZeros(merging, ranked, ({ value }) => value === 0);
  if (merging.quarters().length === 0) {
    const first = ranked.findIndex(({ quarterHours: { long } }) => long.length > 0);
    claimZeros(merging, ranked, (_, index) => index === first);
  }
  return merging;
}

/** Claims the time of these long samples with zeros, where it is free. */
function claimZeros(
  merging: Merging,
  ranked: readonly DayOfDevice[],
  isZero: (sample: LongSample, index: number) => boolean,
): void {
  ranked.forEach(({ quarterHours: { long } }, index) => {
    for (const sample of long)
      if (isZero(sample, index))
        spreadOverQuarterHours(sample.start, sample.end, (quarter) => merging.claim(quarter, index, 0));
  });
}

/** The hours of a date in which a device was worn, that is, measured a heart rate. `heartRates`: by device, ascending by start. */
export function openWornHours<Device>(
  heartRates: ReadonlyMap<Device, { readonly starts: ArrayLike<number> }> | undefined,
  zone: Zone,
): (device: Device, date: LocalDate) => ReadonlySet<number> {
  return (device, date) => {
    const { start, end } = zone.dayOf(date);
    return listHours(heartRates?.get(device)?.starts ?? [], start, end);
  };
}

/** The UTC hours in [fromMs, toMs) that contain at least one of the ascending times. */
export function listHours(times: ArrayLike<number>, fromMs: number, toMs: number): ReadonlySet<number> {
  const hours = new Set<number>();
  let hourEnd = fromMs;
  for (let index = 0; index < times.length; index += 1) {
    const time = times[index] as number;
    if (time < hourEnd) continue;
    if (time >= toMs) break;
    const hour = hourOf(quarterHourOf(time));
    hours.add(hour);
    hourEnd = (hour + 1) * QUARTERS_AN_HOUR * QUARTER_HOUR_MS;
  }
  return hours;
}

/** Whether a heart rate could change the merge: a zero without a count in its hour, while another device counted. */
export function needsWornHours(ranked: readonly DayOfDevice[]): boolean {
  if (ranked.length < 2 || !ranked.some(({ quarterHours }) => quarterHours.sums.includes(0))) return false;
  const { droppedZeros } = mergeDay(ranked.map(({ quarterHours }) => ({ quarterHours })));
  return droppedZeros.some((quarters) => quarters.length > 0);
}

/** Uses typed arrays, because this runs for every total of every day with several devices. */
class Merging implements MergedDay {
  readonly spreads: Spread[][];
  readonly counting = new Set<number>();
  droppedZeros: readonly (readonly number[])[] = [];
  readonly #first: number;
  readonly #owners: Int16Array;
  readonly #amounts: Float64Array;

  constructor(ranked: readonly DayOfDevice[]) {
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const { quarterHours } of ranked) {
      const { indexes, long } = quarterHours;
      first = Math.min(first, indexes[0] ?? first);
      last = Math.max(last, indexes.at(-1) ?? last);
      for (const { start, end } of long) {
        first = Math.min(first, quarterHourOf(start));
        last = Math.max(last, quarterHourOf(end));
      }
    }
    const length = last < first ? 0 : last - first + 1;
    this.spreads = ranked.map(() => []);
    this.#first = first;
    this.#owners = new Int16Array(length).fill(NOBODY);
    this.#amounts = new Float64Array(length);
  }

  quarters(): number[] {
    const owned: number[] = [];
    for (let index = 0; index < this.#owners.length; index += 1)
      if (this.#owners[index] !== NOBODY) owned.push(this.#first + index);
    return owned;
  }

  ownerOf(quarter: number): number {
    return this.#owners[quarter - this.#first] ?? NOBODY;
  }

  amountOf(quarter: number): number {
    return this.#amounts[quarter - this.#first] ?? 0;
  }

  /** Adds to a quarter hour that belongs to the device or is free. Returns the index of the owner. */
  claim(quarter: number, position: number, amount: number): number {
    const index = quarter - this.#first;
    if (this.#owners[index] === NOBODY) this.#owners[index] = position;
    const owner = this.#owners[index] as number;
    if (owner === position) this.#amounts[index] = (this.#amounts[index] as number) + amount;
    return owner;
  }
}

/** Returns the quarter hours whose zero has no evidence. */
function countFine(merging: Merging, { quarterHours, wornHours }: DayOfDevice, position: number): number[] {
  const { indexes, sums } = quarterHours;
  const zeros: number[] = [];
  let countedHour = Number.NaN;
  for (let index = 0; index < indexes.length; index += 1) {
    const quarter = indexes[index] as number;
    const sum = sums[index] as number;
    if (sum !== 0) countedHour = hourOf(quarter);
    const isWorn =
      sum !== 0 ||
      countedHour === hourOf(quarter) ||
      wornHours?.has(hourOf(quarter)) ||
      countsLater(quarterHours, index, hourOf(quarter));
    if (!isWorn) zeros.push(quarter);
    else if (merging.claim(quarter, position, sum) === position) merging.counting.add(position);
  }
  return zeros;
}

/** Whether a count other than zero follows in that hour. */
function countsLater({ indexes, sums }: QuarterHours, index: number, hour: number): boolean {
  for (let next = index + 1; next < indexes.length && hourOf(indexes[next] as number) === hour; next += 1)
    if (sums[next] !== 0) return true;
  return false;
}

function countLong(merging: Merging, ranked: readonly DayOfDevice[]): void {
  const long = ranked.flatMap(({ quarterHours }, index) => quarterHours.long.map((sample) => ({ index, sample })));
  if (long.length === 0) return;
  long.sort((a, b) => a.sample.lengthMs - b.sample.lengthMs || a.index - b.index || a.sample.start - b.sample.start);
  for (const { index: position, sample } of long) {
    const { index, start, end, value, divided } = sample;
    const { finer, freeMs } = lookAround(merging, position, start, end);
    const counted = freeMs === 0 ? 0 : (divided?.counted ?? Math.max(0, value - finer));
    merging.spreads[position]?.push({ index, start, end, value, ...divided, counted, freeMs });
    if (counted === 0) continue;
    merging.counting.add(position);
    spreadOverQuarterHours(start, end, (quarter, partStart, partEnd) =>
      merging.claim(quarter, position, (counted * (partEnd - partStart)) / freeMs),
    );
  }
}

/**
 * What other devices counted in [start, end), and how much time they left. Samples of one device never count against
 * each other.
 */
function lookAround(merging: Merging, index: number, start: number, end: number) {
  let [finer, freeMs] = [0, 0];
  spreadOverQuarterHours(start, end, (quarter, partStart, partEnd) => {
    const owner = merging.ownerOf(quarter);
    if (owner === NOBODY || owner === index) freeMs += partEnd - partStart;
    else finer += (merging.amountOf(quarter) * (partEnd - partStart)) / QUARTER_HOUR_MS;
  });
  return { finer, freeMs };
}
