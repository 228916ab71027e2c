// Single measurements and values that are reported once a day. https://developer.garmin.com/gc-developer-program/health-api/
import type { RecordingMethod } from '../../domain/records/records.ts';
import { placeApart } from '../place-apart.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { readNumber, readText, required } from '../read-json.ts';
import { readDate } from '../read-time.ts';
import { listSummaries, readNightDate, readSummaryTime } from './summaries.ts';

type Field = readonly [field: string, metric: string, unit: string];

/** Body composition summaries, measured by a Garmin scale or entered by hand. */
export const mapBodyComps = mapReadings('bodyComps', [
  ['weightInGrams', 'weight', 'g'],
  ['muscleMassInGrams', 'muscle_mass', 'g'],
  ['boneMassInGrams', 'bone_mass', 'g'],
  ['bodyWaterInPercent', 'body_water_percentage', '%'],
  ['bodyFatInPercent', 'body_fat_percentage', '%'],
  ['bodyMassIndex', 'body_mass_index', 'kg/m²'],
]);

/** Blood pressure summaries. */
export const mapBloodPressures = mapReadings('bloodPressures', [
  ['systolic', 'blood_pressure_systolic', 'mmHg'],
  ['diastolic', 'blood_pressure_diastolic', 'mmHg'],
  ['pulse', 'heart_rate', 'bpm'],
]);

/** A watch reports it too, all day. */
const ALSO_OF_WATCH = 'heart_rate';

/**
 * User metrics, which have a date and no time. The catalog has one VO2 max: that of running, or of cycling for users who only
 * ride. Fitness age is Garmin's own estimate and not mapped.
 */
export function mapUserMetrics(body: unknown): ProviderRecords {
  const records = collectRecords();
  records.each(listSummaries(body, 'userMetrics'), (item) => {
    const date = required(readDate(item, 'calendarDate'), 'calendarDate');
    records.daily('vo2_max', date, readNumber(item, 'vo2Max') ?? readNumber(item, 'vo2MaxCycling'), 'mL/kg/min');
  });
  return records.records();
}

/** Skin temperature of the night, as a difference from the user's baseline. */
export function mapSkinTemp(body: unknown): ProviderRecords {
  const records = collectRecords();
  records.each(listSummaries(body, 'skinTemp'), (item) => {
    const deviation = readNumber(item, 'avgDeviationCelsius');
    records.daily('sleep_temperature_deviation', readNightDate(item), deviation, '°C');
  });
  return records.records();
}

function mapReadings(kind: string, fields: readonly Field[]): (body: unknown) => ProviderRecords {
  return (body) => {
    const records = collectRecords();
    records.each(listSummaries(body, kind), (item) => {
      const method: RecordingMethod = readText(item, 'sourceType') === 'MANUAL' ? 'manual' : 'automatic';
      const at = { ...readSummaryTime(item, 'measurement'), method };
      for (const [field, metric, unit] of fields) {
        const placed = metric === ALSO_OF_WATCH ? placeApart(at, 2) : at;
        records.sample(metric, placed, readNumber(item, field), unit);
      }
    });
    return records.records();
  };
}
