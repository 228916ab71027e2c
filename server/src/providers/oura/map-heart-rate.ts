// https://cloud.ouraring.com/v2/docs#tag/Heart-Rate-Routes: `bpm` in beats per minute, `timestamp` in UTC, whatever the person's zone.
import { createZone } from '../../domain/time/day.ts';
import type { MapContext } from '../contract.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { asObject, readNumber, readValues, required } from '../read-json.ts';
import { readMoment } from '../read-time.ts';
import { HeartRateColumns } from './heart-rate-page.ts';

export function mapHeartRate(body: unknown, { zone }: MapContext): ProviderRecords {
  const into = collectRecords();
  const tell = into.moments('heart_rate', 'bpm');
  const { offsetMinutesAt } = createZone(zone);
  const { data } = asObject(body);
  if (data instanceof HeartRateColumns)
    for (const [index, ms] of data.starts.entries()) {
      const beats = data.beats[index] as number;
      tell(ms, offsetMinutesAt(ms), Number.isNaN(beats) ? null : beats);
    }
  else
    into.each(readValues(asObject(body), 'data'), (item) => {
      const { ms } = required(readMoment(item, 'timestamp'), 'timestamp');
      tell(ms, offsetMinutesAt(ms), readNumber(item, 'bpm'));
    });
  return into.records();
}
