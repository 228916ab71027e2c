// Body values of the profile. https://developer.whoop.com/api#tag/User: meters and kilograms, without a time, so they are
// reported for the day of the request and never earlier. `max_heart_rate` is a setting, not a measurement.
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
