import { isOffsetMinutes } from '../../domain/time/parse-instant.ts';
import { type JsonObject, readNumber } from '../read-json.ts';
import { rejectField } from '../unreadable-fields.ts';

const QUARTER_MINUTES = 15;
/** All other zones are a multiple of half an hour from UTC: those of Nepal, Eucla and the Chatham Islands, also in summer. */
const ODD_ZONES: readonly number[] = [345, 525, 765, 825];

/** A time zone in quarter hours: 4 is UTC+1. In minutes. */
export function readQuarters(item: JsonObject, name: string): number | null {
  const quarters = readNumber(item, name);
  if (quarters === null) return null;
  const minutes = quarters * QUARTER_MINUTES;
  const isZone = minutes % (2 * QUARTER_MINUTES) === 0 || ODD_ZONES.includes(minutes);
  return isZone && isOffsetMinutes(minutes) ? minutes + 0 : rejectField(name, 'is not a time zone');
}
