// https://developer.dexcom.com/docs/dexcomv3/operation/getEstimatedGlucoseValuesV3: `value` in `unit`, every five minutes.
//
// Beyond 40 to 400 mg/dL the sensor says only "low" or "high". The documentation has a status for it; clients receive 39 or 401,
// often without a status. Neither is a measurement, so no number is stored (docs/glucose.md).
//
// Records are identified by `recordId`, and samples by their start. Overlapping windows report a record with the same time, so
// both agree. Calibrations and other transmitters do not share a start.
import { fromCatalogUnit } from '../../domain/metrics/units.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { MapContext } from '../contract.ts';
import type { RecordCollector } from '../provider-records.ts';
import { type JsonObject, readNumber, readText, required } from '../read-json.ts';
import { rejectField } from '../unreadable-fields.ts';
import { createTimeReader } from './record-times.ts';

const READING_MS = 5 * MINUTE_MS;
const MEASURED_MG_DL = { min: 40, max: 400 };

export function collectReadings(records: readonly unknown[], into: RecordCollector, { zone }: MapContext): void {
  const readTime = createTimeReader(zone);
  const beyond = { low: 'glucose_time_below_range', high: 'glucose_time_above_range' } as const;
  into.each(records, (record) => {
    const at = readTime(record);
    const value = readNumber(record, 'value');
    const unit = readUnit(record);
    const place = value === null || unit === null ? readPlace(record, value) : placeOf(value, unit);
    if (place === 'measured') into.sample('blood_glucose', at, value, required(unit, 'unit'));
    else if (place !== null) into.sample(beyond[place], { ...at, end: at.start + READING_MS }, 100, '%');
  });
}

/** `unknown` is one of Dexcom's units. */
function readUnit(record: JsonObject): 'mg/dL' | 'mmol/L' | null {
  const unit = readText(record, 'unit');
  if (unit === 'mg/dL' || unit === 'mmol/L') return unit;
  return unit === null || unit === 'unknown' ? null : rejectField('unit', 'is not a unit of glucose');
}

/** A status beside a measured number has no documented meaning. */
function placeOf(value: number, unit: 'mg/dL' | 'mmol/L'): 'measured' | 'low' | 'high' | null {
  if (value <= 0) return rejectField('value', 'is not a glucose value');
  const mgDl = Math.round(unit === 'mg/dL' ? value : fromCatalogUnit('blood_glucose', value, unit, 'mg/dL'));
  if (mgDl < MEASURED_MG_DL.min) return 'low';
  if (mgDl <= MEASURED_MG_DL.max) return 'measured';
  // 401 and a little more is "high"; anything else is not a reading.
  return mgDl <= MAX_REPORTED_MG_DL ? 'high' : rejectField('value', 'is not a glucose value');
}

const MAX_REPORTED_MG_DL = 1_000;

/** Without a number the status is the reading; a number without a unit cannot be used. */
function readPlace(record: JsonObject, value: number | null): 'low' | 'high' | null {
  if (value !== null) return null;
  const status = readText(record, 'status');
  return status === 'low' || status === 'high' ? status : null;
}
