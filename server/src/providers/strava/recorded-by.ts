// Which vendor an activity came from. Strava copies activities of other vendors: `external_id` is the name under which they were
// uploaded, `device_name` the device. What public clients have seen:
//   garmin_push_2478798425            Garmin Connect; the number is Garmin's activityId
//   garmin_ping_312524993028          Garmin Connect; the number is not an activityId
//   zwift-activity-752165469668926976.fit
//   2024-08-24-100540-ELEMNT_BOLT_3FFA-159-0.fit   Wahoo
//   6a7ebece4c8dda52aa105ddf.fit      Suunto; only the device names it, as do COROS and Polar
import type { RecordedBy } from '../../domain/records/records.ts';
import { findVendor } from '../../domain/vendors.ts';

const GARMIN = /^garmin_(push|ping)_(\d+)/;
/** Of vendors whose names are not in the text. */
const FILE_NAMES: readonly (readonly [RegExp, string | null])[] = [
  [/ELEMNT/i, 'wahoo'],
  [/zwift/i, null],
];

/** Null: recorded with an app of Strava, entered by hand, or unknown. */
export function readRecordedBy(externalId: string | null, deviceName: string | null): RecordedBy | null {
  const [, kind, number] = GARMIN.exec(externalId ?? '') ?? [];
  if (kind !== undefined) return { vendor: 'garmin', id: kind === 'push' ? (number ?? null) : null };
  for (const [pattern, vendor] of FILE_NAMES)
    if (pattern.test(`${externalId ?? ''} ${deviceName ?? ''}`)) return { vendor, id: null };
  const vendor = findVendor([deviceName]) ?? findVendor([externalId]);
  return vendor === null || vendor === 'strava' ? null : { vendor, id: null };
}
