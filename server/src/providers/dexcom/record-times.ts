// The times of a record. `systemTime` is UTC by the clock of the phone or receiver, `displayTime` is what the user saw.
//
// Phones report both with an offset, receivers without. Old records lack seconds, and some offsets have seconds (-06:59:58),
// which are rounded to minutes. The clock of a receiver drifts; nothing reports by how much, so `systemTime` is used as it is.
import { createZone } from '../../domain/time/day.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import { isOffsetMinutes } from '../../domain/time/parse-instant.ts';
import { type JsonObject, readText, required } from '../read-json.ts';
import { parseMoment } from '../read-time.ts';
import { readOptional } from '../unreadable-fields.ts';

export type RecordTime = { readonly start: number; readonly offsetMinutes: number };

const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d(?::\d\d)?)?$/;
const OFFSET = /^([+-])(\d\d):?(\d\d)(?::(\d\d))?$/;
/** Zones differ from UTC by quarters of an hour; the rest is the drift of the clock. */
const ZONE_STEP_MINUTES = 15;

export function createTimeReader(zone: string): (record: JsonObject) => RecordTime {
  const { offsetMinutesAt } = createZone(zone);
  return (record) => {
    const system = parseTime(required(readText(record, 'systemTime'), 'systemTime'), 'systemTime');
    const start = system.ms - (system.offsetMinutes ?? 0) * MINUTE_MS;
    return { start, offsetMinutes: readDisplayOffset(record, start) ?? offsetMinutesAt(start) };
  };
}

/** As written, in milliseconds as if it were UTC. Null offset: none is written. */
type WrittenTime = { readonly ms: number; readonly offsetMinutes: number | null };

function parseTime(text: string, name: string): WrittenTime {
  const [, date, minute, seconds = ':00', offset] = TIME.exec(text) ?? [];
  const { ms } = parseMoment(date === undefined ? text : `${date}T${minute}${seconds}Z`, name);
  return { ms, offsetMinutes: offset === undefined ? null : parseWholeMinutes(offset) };
}

function parseWholeMinutes(text: string): number {
  const [, sign, hours, minutes, seconds = '0'] = OFFSET.exec(text) ?? [];
  if (sign === undefined) return 0; // Z
  const whole = Number(hours) * 60 + Number(minutes) + Math.round(Number(seconds) / 60);
  return sign === '-' ? -whole : whole;
}

/** Null: unknown. Without a written offset, the difference between both clocks. */
function readDisplayOffset(record: JsonObject, start: number): number | null {
  const text = readText(record, 'displayTime');
  if (text === null) return null;
  const display = readOptional('displayTime', () => parseTime(text, 'displayTime'));
  if (display === null) return null;
  const difference = (display.ms - start) / MINUTE_MS;
  const minutes = display.offsetMinutes ?? Math.round(difference / ZONE_STEP_MINUTES) * ZONE_STEP_MINUTES;
  return isOffsetMinutes(minutes) ? minutes + 0 : null;
}
