// The strokes of a result: time `t` in tenths of a second, heart rate, and on the bike cadence and pace.
// https://log.concept2.com/developers/documentation/#logbook-users-results-stroke-data
import { ROUNDING_MS } from '../../domain/metrics/record-limits.ts';
import type { EpochMs, HeartRateSample } from '../../domain/records/records.ts';
import type { MapContext } from '../contract.ts';
import { collectRecords, type ProviderRecords, type RecordCollector } from '../provider-records.ts';
import { type JsonObject, readNumber, readText } from '../read-json.ts';
import { readLastingMs } from '../read-time.ts';
import { rejectField } from '../unreadable-fields.ts';
import { mapResult } from './map-results.ts';
import { readIntervals } from './read-laps.ts';
import { listResults, readBpm } from './result.ts';
import { type ResultTime, readResultTime, TENTHS_MS } from './result-time.ts';

const BIKE = 'bike';
/** Pace is in tenths of a second per 1,000 m on the bike, so the speed in km/h is this divided by it. */
const TENTHS_PER_HOUR = 36_000;

/** `body` null: there are none after all, and the result is mapped without them. */
export function mapStrokes(body: unknown, context: MapContext): ProviderRecords {
  const into = collectRecords();
  into.each([context.calledBy], (result) => {
    const time = readResultTime(result, context.zone);
    const workout = mapResult(result, time, context);
    const strokes = body === null ? [] : placeStrokes(into, listResults(body), result, time);
    const heartRateSamples = strokes.flatMap(({ ms, stroke }): HeartRateSample[] => {
      const bpm = readBpm(stroke, 'hr');
      return bpm === null ? [] : [{ time: ms as EpochMs, bpm }];
    });
    into.workout({ ...workout, heartRateSamples: heartRateSamples.length === 0 ? null : heartRateSamples });
    if (readText(result, 'type') === BIKE) addCycling(into, strokes, time);
  });
  return into.records();
}

type Stroke = { readonly ms: number; readonly stroke: JsonObject };

/** `t` begins at 0 in each interval. */
function placeStrokes(
  into: RecordCollector,
  items: readonly unknown[],
  result: JsonObject,
  { start, workMs, restMs }: ResultTime,
): Stroke[] {
  const groups: { readonly tMs: number; readonly stroke: JsonObject }[][] = [];
  let lastMs = Number.POSITIVE_INFINITY;
  into.each(items, (stroke) => {
    const tMs = readLastingMs(stroke, 't', TENTHS_MS);
    if (tMs === null) return;
    if (tMs > workMs + ROUNDING_MS) return void rejectField('t', 'is after the end');
    if (tMs < lastMs) groups.push([]);
    groups.at(-1)?.push({ tMs, stroke });
    lastMs = tMs;
  });
  const intervals = readIntervals(result);
  const restEachMs = restMs / Math.max(1, groups.length);
  let fromMs = 0;
  return groups.flatMap((group, index) => {
    // Without a list of intervals all rests count as equally long.
    if (intervals.length === groups.length) fromMs = intervals[index]?.fromMs ?? 0;
    const placed = group.map(({ tMs, stroke }) => ({ ms: Math.round(start + fromMs + tMs), stroke }));
    fromMs += (group.at(-1)?.tMs ?? 0) + restEachMs;
    return placed;
  });
}

function addCycling(into: RecordCollector, strokes: readonly Stroke[], { offsetMinutes }: ResultTime): void {
  for (const { ms, stroke } of strokes) {
    const at = { start: ms, offsetMinutes, method: 'active' as const };
    const pace = readNumber(stroke, 'p');
    into.sample('cycling_cadence', at, readNumber(stroke, 'spm'), 'rpm');
    into.sample('cycling_speed', at, pace === null || pace <= 0 ? null : TENTHS_PER_HOUR / pace, 'km/h');
  }
}
