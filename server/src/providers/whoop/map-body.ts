// What the profile says of the body today. https://developer.whoop.com/api#tag/User: meters and kilograms, without a time. So it
// is told as of the day on which it is asked for, never of a day before. `max_heart_rate` is a setting and no measurement.
import type { MapContext } from '../contract.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { readNumber } from '../read-json.ts';

export function mapBody(body: unknown, { window }: MapContext): ProviderRecords {
  const into = collectRecords();
  if (window !== null)
    into.each([body], (profile) => {
      into.daily('height', window.toDate, readNumber(profile, 'height_meter'), 'm');
      into.daily('weight', window.toDate, readNumber(profile, 'weight_kilogram'), 'kg');
    });
  return into.records();
}
