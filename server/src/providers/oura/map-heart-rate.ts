// https://cloud.ouraring.com/v2/docs#tag/Heart-Rate-Routes: `bpm` in beats per minute, `timestamp` in UTC regardless of the
// user's zone.
import { createZone } from '../../domain/time/day.ts';
import type { MapContext } from '../contract.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { asObject, readNumber, readValues, required } from '../read-json.ts';
import { readMoment } from '../read-time.ts';

export function mapHeartRate(body: unknown, { zone }: MapContext): ProviderRecords {
  const into = collectRecords();
  const addSample = into.moments('heart_rate', 'bpm');
  const { offsetMinutesAt } = createZone(zone);
  into.each(readValues(asObject(body), 'data'), (item) => {
    const { ms } = required(readMoment(item, 'timestamp'), 'timestamp');
    addSample(ms, offsetMinutesAt(ms), readNumber(item, 'bpm'));
  });
  return into.records();
}
