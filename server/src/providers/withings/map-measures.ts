// Measurements: one group for each use of a scale or cuff; the value is `value` × 10^`unit`.
// https://developer.withings.com/api-reference/#operation/measure-getmeas
import type { RecordingMethod } from '../../domain/records/records.ts';
import type { MapContext } from '../contract.ts';
import { placeApart } from '../place-apart.ts';
import { collectRecords, type ProviderRecords, type RecordCollector } from '../provider-records.ts';
import { type JsonObject, readList, readNumber, readValues, required } from '../read-json.ts';
import { offsetAt, readEpochSeconds, readZone } from '../read-time.ts';
import { readBody } from './answer.ts';

/** [type, metric, reported unit]. Type 12 does not say whether it is the temperature of the air or the body. */
const MEASURES: readonly (readonly [type: number, metric: string, unit: string])[] = [
  [1, 'weight', 'kg'],
  [4, 'height', 'm'],
  [5, 'lean_body_mass', 'kg'],
  [6, 'body_fat_percentage', '%'],
  [8, 'body_fat_mass', 'kg'],
  [9, 'blood_pressure_diastolic', 'mmHg'],
  [10, 'blood_pressure_systolic', 'mmHg'],
  [11, 'heart_rate', 'bpm'],
  [54, 'blood_oxygen', '%'],
  [71, 'body_temperature', '°C'],
  [73, 'skin_temperature', '°C'],
  [76, 'muscle_mass', 'kg'],
  [77, 'body_water_mass', 'kg'],
  [88, 'bone_mass', 'kg'],
  [91, 'pulse_wave_velocity', 'm/s'],
  [123, 'vo2_max', 'mL/kg/min'],
  [170, 'visceral_fat_rating', 'rating'],
  [226, 'basal_metabolic_rate', 'kcal/day'],
  [227, 'metabolic_age', 'years'],
];

/** Fat in percent and kg. 0 if only the weight is known, which then is the fat free mass (5) too. */
const FAT = [6, 8];
const OF_FAT = [5, ...FAT];

/** A watch reports them too, all day, as intraday data. */
const ALSO_OF_WATCH = ['heart_rate', 'blood_oxygen'];

export const MEASURE_TYPES: readonly number[] = MEASURES.map(([type]) => type);

/** `attrib` 1: the scale may have confused the user with another person. */
const AMBIGUOUS = 1;
const MANUAL = [2, 4];
/** `category`: a goal. */
const GOAL = 2;
/** Of the whole body; arms, legs and trunk have other positions. */
const WHOLE_BODY = 7;

export function mapMeasures(answer: unknown, context: MapContext): ProviderRecords {
  const body = readBody(answer);
  const ofUser = readZone(body, 'timezone', context.zone);
  const into = collectRecords();
  into.each(readValues(body, 'measuregrps'), (group) => {
    const attrib = readNumber(group, 'attrib');
    if (attrib === AMBIGUOUS || readNumber(group, 'category') === GOAL) return;
    const method = attrib !== null && MANUAL.includes(attrib) ? 'manual' : 'automatic';
    collectGroup(into, group, readZone(group, 'timezone', ofUser), method);
  });
  return into.records();
}

function collectGroup(into: RecordCollector, group: JsonObject, zone: string, method: RecordingMethod): void {
  const start = required(readEpochSeconds(group, 'date'), 'date');
  const at = { start, offsetMinutes: offsetAt(zone, start), method };
  const whole = readList(group, 'measures').filter(isOfWholeBody);
  const find = (type: number) => whole.find((candidate) => readNumber(candidate, 'type') === type);
  const isFatUnknown = FAT.some((type) => readNumber(find(type) ?? {}, 'value') === 0);
  for (const [type, metric, unit] of MEASURES) {
    if (isFatUnknown && OF_FAT.includes(type)) continue;
    const measure = find(type);
    const placed = ALSO_OF_WATCH.includes(metric) ? placeApart(at, 1) : at;
    if (measure !== undefined) into.sample(metric, placed, readScaled(measure), unit);
  }
}

/** True without a position; an unreadable one may be that of an arm. */
function isOfWholeBody(measure: JsonObject): boolean {
  return (measure.position ?? null) === null || readNumber(measure, 'position') === WHOLE_BODY;
}

/** Through its text, so that 74126 × 10^-3 is exactly 74.126. Without its power of ten a value is meaningless. */
function readScaled(measure: JsonObject): number | null {
  const value = readNumber(measure, 'value');
  const unit = readNumber(measure, 'unit');
  return value === null || unit === null ? null : Number(`${value}e${unit}`);
}
