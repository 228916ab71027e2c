// The stored form of a day's score details and of its computed stress: JSON without names, compressed. The first byte is the
// format. Numbers have the decimals of the API, so that a score takes a tenth of its JSON.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { roundTo } from '../../../domain/round-to.ts';
import {
  type ComputedStress,
  EXPLANATION_DECIMALS,
  type FactorReading,
  type ScoreExplanation,
  type ScoreFactor,
  type ScoreType,
  type Usual,
} from '../../../domain/scores/index.ts';

/** The stored parts of a score beside its value. */
export type ScoreDetail = {
  readonly neutral: number;
  readonly factors: readonly ScoreFactor[];
  readonly coverage: number | null;
  readonly explanation: ScoreExplanation;
  readonly algorithmVersion: number;
  /** The first run with this result; a run with the same result does not change it. */
  readonly computedAt: string;
};

const FORMAT = 1;
/** A null input: without a reading. `usual` is [mean, spread, is log]; a null position equals the input. */
type PackedFactor = [
  name: string,
  direction: ScoreFactor['direction'],
  contribution: number,
  input: number | null,
  effect: number,
  position: number | null,
  usual: [number, number, 0 | 1] | null,
  hrvKind?: FactorReading['hrvKind'],
];
type PackedScore = [
  type: ScoreType,
  algorithmVersion: number,
  computedAt: string,
  neutral: number,
  coverage: number | null,
  factors: PackedFactor[],
  missing: ScoreExplanation['missing'],
  basis: readonly string[] | null,
];

export function packDetails(scores: ReadonlyMap<ScoreType, ScoreDetail>): Buffer {
  return compress(Array.from(scores, ([type, detail]) => toPacked(type, detail)));
}

export function unpackDetails(bytes: Uint8Array): Map<ScoreType, ScoreDetail> {
  return new Map((expand(bytes) as PackedScore[]).map((packed) => [packed[0], fromPacked(packed)]));
}

/** Quarter hours as differences, each followed by its stress. */
export function packStress(series: readonly ComputedStress[]): Buffer {
  return compress(series.flatMap(([quarter, stress], index) => [quarter - (series[index - 1]?.[0] ?? 0), stress]));
}

export function unpackStress(bytes: Uint8Array): ComputedStress[] {
  const numbers = expand(bytes) as number[];
  const series: ComputedStress[] = [];
  let quarter = 0;
  for (let at = 0; at < numbers.length; at += 2) {
    quarter += numbers[at] as number;
    series.push([quarter, numbers[at + 1] as number]);
  }
  return series;
}

/** Rounds as the API does, so that a stored explanation equals the computed one. */
export function roundExplanation(explanation: ScoreExplanation): ScoreExplanation {
  return { ...explanation, readings: explanation.readings.map(roundReading) };
}

function roundReading(reading: FactorReading): FactorReading {
  const { input, position, effect, usual } = reading;
  return {
    ...reading,
    input: round(input),
    position: round(position),
    effect: round(effect),
    usual: roundUsual(usual),
  };
}

function roundUsual(usual: Usual | null): Usual | null {
  return usual === null ? null : { ...usual, mean: round(usual.mean), spread: round(usual.spread) };
}

function round(value: number): number {
  return roundTo(value, EXPLANATION_DECIMALS);
}

function toPacked(type: ScoreType, detail: ScoreDetail): PackedScore {
  const { algorithmVersion, computedAt, neutral, coverage, factors, explanation } = detail;
  const { readings, missing, basis } = roundExplanation(explanation);
  const byName = new Map(readings.map((reading) => [reading.name, reading]));
  const packed = factors.map((factor) => packFactor(factor, byName.get(factor.name)));
  return [type, algorithmVersion, computedAt, neutral, coverage, packed, missing, basis ?? null];
}

function packFactor({ name, direction, contribution }: ScoreFactor, reading: FactorReading | undefined): PackedFactor {
  if (reading === undefined) return [name, direction, contribution, null, 0, null, null];
  const { input, effect, position, usual, hrvKind } = reading;
  const packedUsual: PackedFactor[6] =
    usual === null ? null : [usual.mean, usual.spread, usual.scale === 'log' ? 1 : 0];
  const packed: PackedFactor = [
    name,
    direction,
    contribution,
    input,
    effect,
    position === input ? null : position,
    packedUsual,
  ];
  if (hrvKind !== undefined) packed.push(hrvKind);
  return packed;
}

function fromPacked(packed: PackedScore): ScoreDetail {
  const [, algorithmVersion, computedAt, neutral, coverage, factors, missing, basis] = packed;
  return {
    neutral,
    factors: factors.map(([name, direction, contribution]) => ({ name, contribution, direction })),
    coverage,
    explanation: { readings: factors.flatMap(unpackReading), missing, ...(basis !== null && { basis }) },
    algorithmVersion,
    computedAt,
  };
}

function unpackReading([name, , , input, effect, position, usual, hrvKind]: PackedFactor): FactorReading[] {
  if (input === null) return [];
  const [mean, spread, isLog] = usual ?? [];
  const unpacked: Usual | null =
    mean === undefined || spread === undefined ? null : { mean, spread, scale: isLog === 1 ? 'log' : 'linear' };
  const kind = hrvKind === undefined ? {} : { hrvKind };
  return [{ name, input, usual: unpacked, position: position ?? input, effect, ...kind }];
}

/** Of format 1: never change it, because stored scores need it. */
const DICTIONARY = Buffer.from(
  [
    'no_baseline no_value {"name":"","reason":"no_value"} heart_rate_samples average_heart_rate zones energy duration steps heart_rate ',
    '[["strain_score",1,"2026-01-01T00:00:00.000Z",0,null,[["high_intensity","neutral",0,0,0,null,null],',
    '["moderate_intensity","positive",0,0,0,null,null],["low_intensity","positive",0,0,0,null,null],["daily_activity","positive",',
    '["nutrition_score",50,100,[["energy_balance","positive",["protein","fiber","sugar","saturated_fat","sodium","macro_balance","hydration",',
    '["sleep_score",70,100,[["duration","positive",["efficiency","continuity","deep_sleep","rem_sleep","regularity",',
    '["stress_score",35,100,[["waking_heart_rate","neutral",0,0],"rmssd"],["waking_hrv","high_stress_time","night_hrv","resting_heart_rate",',
    '"respiratory_rate","sleep_debt","negative",["recovery_score",50,100,[["heart_rate_variability","hrv_trend","skin_temperature",0,null,null],',
    '["previous_day_strain",["energy_reserve_score",65,100,[["sleep","recovery","carry_over","strain","stress","time_awake",],[],null]]',
  ].join(''),
);

function compress(value: unknown): Buffer {
  const packed = deflateRawSync(JSON.stringify(value), { dictionary: DICTIONARY });
  return Buffer.concat([Buffer.of(FORMAT), packed]);
}

function expand(bytes: Uint8Array): unknown {
  if (bytes[0] !== FORMAT) throw new Error(`scores were stored in format ${bytes[0]}, which this version cannot read`);
  return JSON.parse(inflateRawSync(bytes.subarray(1), { dictionary: DICTIONARY }).toString());
}
