// When a record of WHOOP was: times in UTC, and beside them what the clock on the wall was ahead by.
import type { EpochMs } from '../../domain/records.ts';
import { type JsonObject, readText, required } from '../read-json.ts';
import { offsetAt, parseOffset, readMoment } from '../read-time.ts';

export type Frame = { readonly start: EpochMs; readonly end: EpochMs; readonly offsetMinutes: number };

/** `zone` where no offset is told. */
export function readFrame(record: JsonObject, zone: string): Frame {
  const start = required(readMoment(record, 'start'), 'start').ms;
  const offset = readText(record, 'timezone_offset'); // such as +01:00
  return {
    start,
    end: required(readMoment(record, 'end'), 'end').ms,
    offsetMinutes: offset === null ? offsetAt(zone, start) : parseOffset(offset, 'timezone_offset'),
  };
}

/** The local day on which somebody woke. */
export function wakeDate({ end, offsetMinutes }: Frame): string {
  return new Date(end + offsetMinutes * 60_000).toISOString().slice(0, 10);
}
