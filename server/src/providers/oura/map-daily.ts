// Daily documents. Scores and their contributors are Oura's own and not mapped; these are its measurements.
import type { RecordCollector } from '../provider-records.ts';
import { type JsonObject, readNumber, readPart, required } from '../read-json.ts';
import { readDate } from '../read-time.ts';

type Collect = (documents: readonly unknown[], into: RecordCollector) => void;

/** [field, metric, reported unit]. */
type Field = readonly [name: string, metric: string, unit: string];

/** https://cloud.ouraring.com/v2/docs#tag/Daily-Activity-Routes. Times are in seconds, energy in kcal. */
const ACTIVITY: readonly Field[] = [
  ['steps', 'steps', 'count'],
  ['active_calories', 'active_calories', 'kcal'],
  ['low_activity_time', 'light_activity', 's'],
  ['medium_activity_time', 'moderate_activity', 's'],
  ['high_activity_time', 'vigorous_activity', 's'],
  ['sedentary_time', 'sedentary_time', 's'],
  ['average_met_minutes', 'average_met', 'MET'],
];

/** `equivalent_walking_distance` is energy converted to meters, not a distance that the user walked. */
export const collectActivity: Collect = (documents, into) => {
  into.each(documents, (document) => {
    const day = readDay(document);
    collectFields(document, day, ACTIVITY, into);
    // Resting energy is not reported: `total_calories` is the sum of it and the active energy.
    const resting = subtract(readNumber(document, 'total_calories'), readNumber(document, 'active_calories'));
    into.daily('resting_energy', day, resting, 'kcal');
    const medium = readNumber(document, 'medium_activity_met_minutes'); // MET minutes
    const high = readNumber(document, 'high_activity_met_minutes'); // MET minutes
    into.daily('met_minutes', day, medium === null || high === null ? null : medium + high, 'MET*min');
  });
};

/** https://cloud.ouraring.com/v2/docs#tag/Daily-Readiness-Routes: °C against the user's baseline. */
export const collectReadiness: Collect = collectEach([['temperature_deviation', 'sleep_temperature_deviation', '°C']]);

/** https://cloud.ouraring.com/v2/docs#tag/Daily-Stress-Routes: seconds in the top and the bottom quarter of the scale. */
export const collectStress: Collect = collectEach([
  ['stress_high', 'stress_time_high', 's'],
  ['recovery_high', 'stress_time_rest', 's'],
]);

/** https://cloud.ouraring.com/v2/docs#tag/VO2-Max-Routes: mL/kg/min. */
export const collectVo2Max: Collect = collectEach([['vo2_max', 'vo2_max', 'mL/kg/min']]);

/** https://cloud.ouraring.com/v2/docs#tag/Daily-Cardiovascular-Age-Routes: m/s; the age is Oura's estimate and not mapped. */
export const collectCardiovascular: Collect = collectEach([['pulse_wave_velocity', 'pulse_wave_velocity', 'm/s']]);

/** https://cloud.ouraring.com/v2/docs#tag/Daily-Spo2-Routes: % of the night, and drops per hour. */
export const collectOxygen: Collect = (documents, into) => {
  into.each(documents, (document) => {
    const day = readDay(document);
    const percentage = readPart(document, 'spo2_percentage');
    const average = percentage === null ? null : readNumber(percentage, 'average');
    // Measured during sleep only; there is no other value of the day.
    into.daily('sleep_blood_oxygen', day, average, '%');
    into.daily('blood_oxygen', day, average, '%');
    const disturbances = readNumber(document, 'breathing_disturbance_index');
    into.daily('breathing_disturbances', day, disturbances, 'events/h');
  });
};

function collectEach(fields: readonly Field[]): Collect {
  return (documents, into) => {
    into.each(documents, (document) => collectFields(document, readDay(document), fields, into));
  };
}

function collectFields(document: JsonObject, day: string, fields: readonly Field[], into: RecordCollector): void {
  for (const [name, metric, unit] of fields) into.daily(metric, day, readNumber(document, name), unit);
}

function readDay(document: JsonObject): string {
  return required(readDate(document, 'day'), 'day');
}

/** Null unless both are known and consistent. */
function subtract(whole: number | null, part: number | null): number | null {
  return whole === null || part === null || part > whole ? null : whole - part;
}
