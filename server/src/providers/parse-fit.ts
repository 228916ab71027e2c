// Parses FIT files, the recordings of most sports watches and bike computers: the messages of an activity, in metric units.
// https://developer.garmin.com/fit/protocol/
import { getFitManufacturerName, getFitSportName, getFitSubSportName } from 'fit-file-parser/profile';
import { SECOND_MS } from '../domain/time/durations.ts';
import { readFitMessages, TIMESTAMP, type WantedFields } from './read-fit-messages.ts';

/** Null: not given. Times are in ms since 1970. */
type Value = number | null;
export type FitRecord = {
  readonly time: Value;
  readonly latitude: Value;
  readonly longitude: Value;
  readonly altitudeM: Value;
  readonly bpm: Value;
  readonly distanceM: Value;
};
export type FitLap = {
  readonly start: Value;
  readonly elapsedS: Value;
  readonly distanceM: Value;
  readonly kcal: Value;
  readonly avgBpm: Value;
  readonly maxBpm: Value;
  readonly ascentM: Value;
};
export type FitSession = FitLap & {
  readonly timerS: Value;
  /** In the words of FIT, such as `cycling`. */
  readonly sport: string | null;
};
type FitWeight = { readonly time: Value; readonly kg: Value };
export type FitFile = {
  readonly sessions: readonly FitSession[];
  readonly laps: readonly FitLap[];
  readonly records: readonly FitRecord[];
  readonly weights: readonly FitWeight[];
  /** Manufacturer and product of the device or app that wrote the file. */
  readonly writer: string | null;
};

const FIT_EPOCH_S = Date.UTC(1989, 11, 31) / SECOND_MS;
const SEMICIRCLES_PER_DEGREE = 2 ** 31 / 180;
const GENERIC_SPORTS: ReadonlySet<unknown> = new Set(['generic', 'training', 'fitness_equipment']);
/** Every second of a week. A message can be one byte, so that a file of 8 MB could otherwise fill the memory. */
const MAX_MESSAGES = 604_800;

const FILE_ID = 0;
const SESSION = 18;
const LAP = 19;
const RECORD = 20;
const WEIGHT_SCALE = 30;
/** By message; the parser of each reads them in this order. */
const WANTED: ReadonlyMap<number, WantedFields> = new Map([
  [FILE_ID, [1, 8]],
  [SESSION, [2, 7, 9, 11, 16, 17, 22, 8, 5, 6]],
  [LAP, [2, 7, 9, 11, 15, 16, 21]],
  [RECORD, [TIMESTAMP, 0, 1, 78, 2, 3, 5]],
  [WEIGHT_SCALE, [TIMESTAMP, 0]],
]);

/** Throws an Error that says why the file cannot be read. */
export function parseFit(bytes: Uint8Array): FitFile {
  const sessions: FitSession[] = [];
  const laps: FitLap[] = [];
  const records: FitRecord[] = [];
  const weights: FitWeight[] = [];
  let writer: string | null = null;
  let count = 0;
  const add = (message: number, values: Float64Array, texts: readonly string[]) => {
    count += 1;
    if (count > MAX_MESSAGES) throw new Error('the file has too many messages');
    if (message === RECORD) records.push(toRecord(values));
    else if (message === LAP) laps.push(toLap(values));
    else if (message === SESSION) sessions.push(toSession(values));
    else if (message === WEIGHT_SCALE) weights.push(toWeight(values));
    else writer ??= describeWriter(values, texts);
  };
  readFitMessages(bytes, { wanted: WANTED, add });
  return { sessions, laps, records, weights, writer };
}

/** Indexed, because destructuring a typed array is ten times slower. */
function toRecord(values: Float64Array): FitRecord {
  return {
    time: timeAt(values, 0),
    latitude: valueAt(values, 1, SEMICIRCLES_PER_DEGREE),
    longitude: valueAt(values, 2, SEMICIRCLES_PER_DEGREE),
    altitudeM: altitudeAt(values, 3) ?? altitudeAt(values, 4),
    bpm: valueAt(values, 5),
    distanceM: valueAt(values, 6, 100),
  };
}

function toLap(values: Float64Array): FitLap {
  return {
    start: timeAt(values, 0),
    elapsedS: valueAt(values, 1, 1_000),
    distanceM: valueAt(values, 2, 100),
    kcal: valueAt(values, 3),
    avgBpm: valueAt(values, 4),
    maxBpm: valueAt(values, 5),
    ascentM: valueAt(values, 6),
  };
}

function toSession(values: Float64Array): FitSession {
  return {
    ...toLap(values),
    timerS: valueAt(values, 7, 1_000),
    sport: nameSport(valueAt(values, 8), valueAt(values, 9)),
  };
}

/** A generic sport is described by its details. */
function nameSport(sport: Value, detail: Value): string | null {
  const [name, detailName] = [getFitSportName(sport), getFitSubSportName(detail)];
  return GENERIC_SPORTS.has(name) && detailName !== null && detailName !== 'generic' ? detailName : name;
}

function toWeight(values: Float64Array): FitWeight {
  return { time: timeAt(values, 0), kg: valueAt(values, 1, 100) };
}

function describeWriter(values: Float64Array, texts: readonly string[]): string | null {
  const words = [getFitManufacturerName(values[0]), ...texts].filter((word) => word !== null && word !== '');
  return words.length === 0 ? null : words.join(' ');
}

function timeAt(values: Float64Array, index: number): Value {
  const seconds = values[index] as number;
  return Number.isNaN(seconds) ? null : (seconds + FIT_EPOCH_S) * SECOND_MS;
}

function altitudeAt(values: Float64Array, index: number): Value {
  const fifths = values[index] as number;
  return Number.isNaN(fifths) ? null : fifths / 5 - 500;
}

function valueAt(values: Float64Array, index: number, divisor = 1): Value {
  const value = values[index] as number;
  return Number.isNaN(value) ? null : value / divisor;
}
