// When a record of WHOOP was: times in UTC, and beside them what the clock on the wall was ahead by.
import type { EpochMs } from '../../domain/records/records.ts';
import { type JsonObject, required } from '../read-json.ts';
import { offsetAt, readMoment, readOffset } from '../read-time.ts';

export type Frame = { readonly start: EpochMs; readonly end: EpochMs; readonly offsetMinutes: number };

/** `zone` where no offset is told. */
export function readFrame(record: JsonObject, zone: string): Frame {
  const start = required(readMoment(record, 'start'), 'start').ms;
  return {
    start,
    end: required(readMoment(record, 'end'), 'end').ms,
    offsetMinutes: readOffset(record, 'timezone_offset') ?? offsetAt(zone, start), // such as +01:00
  };
}

/** The local day on which somebody woke. */
export function wakeDate({ end, offsetMinutes }: Frame): string {
  return new Date(end + offsetMinutes * 60_000).toISOString().slice(0, 10);
}
