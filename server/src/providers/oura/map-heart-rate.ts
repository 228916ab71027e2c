// https://cloud.ouraring.com/v2/docs#tag/Heart-Rate-Routes: `bpm` in beats per minute, `timestamp` in UTC, whatever the person's zone.
import type { MapContext } from '../contract.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { asObject, readList, readNumber, required } from '../read-json.ts';
import { offsetAt, readMoment } from '../read-time.ts';

export function mapHeartRate(body: unknown, { zone }: MapContext): ProviderRecords {
  const into = collectRecords();
  for (const item of readList(asObject(body), 'data')) {
    const { ms } = required(readMoment(item, 'timestamp'), 'timestamp');
    into.sample('heart_rate', { start: ms, offsetMinutes: offsetAt(zone, ms) }, readNumber(item, 'bpm'), 'bpm');
  }
  return into.records();
}
