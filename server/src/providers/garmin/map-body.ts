// Single readings and what is told once a day. https://developer.garmin.com/gc-developer-program/health-api/
import type { RecordingMethod } from '../../domain/records.ts';
import { placeApart } from '../place-apart.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { readNumber, readText, required } from '../read-json.ts';
import { readDate } from '../read-time.ts';
import { listSummaries, readSummaryTime } from './summaries.ts';

type Field = readonly [field: string, metric: string, unit: string];

/** Body composition summaries, of Garmin's scale or typed in. */
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

/** A watch tells it too, all day. */
const ALSO_OF_WATCH = 'heart_rate';

/** User metrics. Fitness age is Garmin's own estimate and not taken. */
export const mapUserMetrics = mapDays('userMetrics', [['vo2Max', 'vo2_max', 'mL/kg/min']]);

/** Skin temperature of the night, as a difference from the person's own. */
export const mapSkinTemp = mapDays('skinTemp', [['avgDeviationCelsius', 'sleep_temperature_deviation', '°C']]);

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

function mapDays(kind: string, fields: readonly Field[]): (body: unknown) => ProviderRecords {
  return (body) => {
    const records = collectRecords();
    records.each(listSummaries(body, kind), (item) => {
      const date = required(readDate(item, 'calendarDate'), 'calendarDate');
      for (const [field, metric, unit] of fields) records.daily(metric, date, readNumber(item, field), unit);
    });
    return records.records();
  };
}
