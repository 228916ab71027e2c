// Cycles: WHOOP's days, from falling asleep to falling asleep. Each is reported for the day on which its night ended.
// https://developer.whoop.com/api#tag/Cycle; strain is WHOOP's own score. `kilojoule` is active and resting energy together.
import type { MapContext } from '../contract.ts';
import { collectRecords, type ProviderRecords, type RecordCollector } from '../provider-records.ts';
import { type JsonObject, readFlag, readId, readNumber } from '../read-json.ts';
import { type Frame, readFrame, wakeDate } from './read-frame.ts';
import { listRecords, readScore } from './resources/collection.ts';
import { toKcal } from './to-kcal.ts';

export function mapCycles(cycles: unknown, { calledBy, zone }: MapContext): ProviderRecords {
  const into = collectRecords();
  const dates = datesByCycle(into, calledBy, zone);
  into.each(listRecords(cycles), (cycle) => {
    const date = dates.get(readId(cycle, 'id') ?? '');
    const score = readScore(cycle);
    if (date !== undefined && score !== null) collectDay(into, date, score);
  });
  return into.records();
}

/** The first sleep of a cycle is the night, because naps lie within the cycle. */
function datesByCycle(into: RecordCollector, sleeps: unknown, zone: string): ReadonlyMap<string, string> {
  const nights = new Map<string, Frame>();
  into.each(listRecords(sleeps), (sleep) => {
    const cycle = readId(sleep, 'cycle_id');
    if (cycle === null || readFlag(sleep, 'nap') === true) return;
    const frame = readFrame(sleep, zone);
    const known = nights.get(cycle);
    if (known === undefined || frame.start < known.start) nights.set(cycle, frame);
  });
  return new Map([...nights].map(([cycle, frame]) => [cycle, wakeDate(frame)]));
}

function collectDay(into: RecordCollector, date: string, score: JsonObject): void {
  into.daily('heart_rate', date, readNumber(score, 'average_heart_rate'), 'bpm');
  into.daily('heart_rate_max', date, readNumber(score, 'max_heart_rate'), 'bpm');
  into.daily('total_calories', date, toKcal(readNumber(score, 'kilojoule')), 'kcal');
}
