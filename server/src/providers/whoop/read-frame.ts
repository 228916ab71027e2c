// Reads when a record took place: times in UTC with a separate local offset.

import type { EpochMs } from '../../domain/records/records.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import { type JsonObject, required } from '../read-json.ts';
import { offsetAt, readMoment, readOffset } from '../read-time.ts';

export type Frame = { readonly start: EpochMs; readonly end: EpochMs; readonly offsetMinutes: number };

/** `zone` is used if there is no offset. */
export function readFrame(record: JsonObject, zone: string): Frame {
  const start = required(readMoment(record, 'start'), 'start').ms;
  return {
    start,
    end: required(readMoment(record, 'end'), 'end').ms,
    offsetMinutes: readOffset(record, 'timezone_offset') ?? offsetAt(zone, start), // such as +01:00
  };
}

/** The local day on which the user woke up. */
export function wakeDate({ end, offsetMinutes }: Frame): string {
  return new Date(end + offsetMinutes * MINUTE_MS).toISOString().slice(0, 10);
}
