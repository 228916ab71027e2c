// The profile: values that the user entered in Polar Flow, or that a scale or fitness test sent there.
// https://www.polar.com/accesslink-api/#physical-info

import type { RecordingMethod } from '../../domain/records/records.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { MapContext } from '../contract.ts';
import { collectRecords, type ProviderRecords, type RecordCollector } from '../provider-records.ts';
import { type JsonObject, readText } from '../read-json.ts';
import { offsetAt } from '../read-time.ts';
import { readLocalMoment } from './local-times.ts';
import { listOrOne } from './map-sleep.ts';
import { readSignal } from './read-signal.ts';

/** Not the user's own weight. */
const INVENTED = ['SOURCE_DEFAULT', 'SOURCE_ESTIMATE'];

/**
 * As of the last change, in UTC. Keys have hyphens too, as in exercises. Resting and maximum heart rate, thresholds and sleep
 * goal are settings of no particular day, so they are not mapped.
 */
export function mapPhysicalInfo(body: unknown, { zone }: MapContext): ProviderRecords {
  const records = collectRecords();
  records.each(listOrOne(body, 'physical-info'), (info) => addProfile(records, info, zone));
  return records.records();
}

function addProfile(records: RecordCollector, info: JsonObject, zone: string): void {
  const changed = readLocalMoment(info, 'modified', 'UTC') ?? readLocalMoment(info, 'created', 'UTC');
  if (changed === null) return;
  const { start } = changed;
  const offsetMinutes = offsetAt(zone, start);
  const weightMethod = readWeightMethod(info);
  if (weightMethod !== null)
    records.sample('weight', { start, offsetMinutes, method: weightMethod }, readSignal(info, 'weight'), 'kg');
  records.sample('height', { start, offsetMinutes, method: 'manual' }, readSignal(info, 'height'), 'cm');
  const date = new Date(start + offsetMinutes * MINUTE_MS).toISOString().slice(0, 10);
  records.daily('vo2_max', date, readSignal(info, 'vo2_max') ?? readSignal(info, 'vo2-max'), 'mL/kg/min');
}

/** Null: Polar estimated it. */
function readWeightMethod(info: JsonObject): RecordingMethod | null {
  const source = readText(info, 'weight_source') ?? readText(info, 'weight-source');
  if (source !== null && INVENTED.includes(source)) return null;
  return source === 'SOURCE_MEASURED' ? 'automatic' : 'manual';
}
