// How long a user spent in each activity zone of a day. https://www.polar.com/accesslink-api/#daily-activity
import { type JsonObject, readList, readPart, readText } from '../read-json.ts';
import { readLocalMoment } from './local-times.ts';

/** The zones while awake and worn; SLEEP and NON_WEAR are not activity. */
const ZONES = ['SEDENTARY', 'LIGHT', 'MODERATE', 'VIGOROUS'] as const;
type ZoneSeconds = Readonly<Record<(typeof ZONES)[number], number>>;

/** `end_time` is the last second of the day. */
const LAST_SECOND_MS = 1_000;

type Change = { readonly zone: string; readonly at: number };

/** A zone lasts from its timestamp to the next one. Null: Polar sent none, or their lengths are unknown. */
export function readZoneSeconds(item: JsonObject, timeZone: string): ZoneSeconds | null {
  const changes = readChanges(item, timeZone);
  const end = readLocalMoment(item, 'end_time', timeZone);
  if (changes === null || changes.length === 0 || end === null) return null;
  const sum: Record<string, number> = Object.fromEntries(ZONES.map((zone) => [zone, 0]));
  for (const [index, { zone, at }] of changes.entries()) {
    const until = changes[index + 1]?.at ?? end.start + LAST_SECOND_MS;
    if (Object.hasOwn(sum, zone)) sum[zone] = (sum[zone] ?? 0) + Math.max(0, until - at) / 1_000;
  }
  return sum as ZoneSeconds;
}

/** Times have minute precision, so each zone may be slightly off. A missing change is off by its whole length. */
const TOLERANCE_SHARE = 0.05;
const TOLERANCE_S = 300;

/** Whether the zones match Polar's daily totals, if reported: otherwise some are missing. */
export function agrees(
  zones: ZoneSeconds,
  { active, inactive }: { readonly active: number | null; readonly inactive: number | null },
): boolean {
  const isNear = (sum: number, total: number | null) =>
    total === null || Math.abs(sum - total) <= Math.max(TOLERANCE_S, TOLERANCE_SHARE * total);
  return isNear(addActive(zones), active) && isNear(zones.SEDENTARY, inactive);
}

export function addActive({ LIGHT, MODERATE, VIGOROUS }: ZoneSeconds): number {
  return LIGHT + MODERATE + VIGOROUS;
}

/** Null if one of them is incomplete: its time would count for the zone before it. */
function readChanges(item: JsonObject, timeZone: string): Change[] | null {
  const zones = readPart(readPart(item, 'samples') ?? {}, 'activity_zones') ?? {};
  const changes: Change[] = [];
  for (const sample of readList(zones, 'samples')) {
    const zone = readText(sample, 'zone');
    const at = readLocalMoment(sample, 'timestamp', timeZone);
    if (zone === null || at === null) return null;
    changes.push({ zone, at: at.start });
  }
  return changes.sort((a, b) => a.at - b.at);
}
