// Epochs: 15 minutes each, one summary per kind of activity in the same quarter hour. What they count is added up.
// https://developer.garmin.com/gc-developer-program/health-api/ (epoch summaries)
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { type JsonObject, readNumber } from '../read-json.ts';
import { readLastingMs } from '../read-time.ts';
import { listSummaries, readSummaryTime } from './summaries.ts';

/** Garmin's field, our metric, its unit. */
const TOTALS = [
  ['steps', 'steps', 'count'],
  ['distanceInMeters', 'distance', 'm'],
  ['activeKilocalories', 'active_calories', 'kcal'],
] as const;

/** What an epoch lasts where it does not say so. */
const EPOCH_MS = 900_000;

type Epoch = {
  readonly start: number;
  readonly offsetMinutes: number;
  readonly lastsMs: number;
  readonly totals: readonly (number | null)[];
  readonly met: number | null;
  readonly activeSeconds: number | null;
};

export function mapEpochs(body: unknown): ProviderRecords {
  const records = collectRecords();
  const epochs: Epoch[] = [];
  records.each(listSummaries(body, 'epochs'), (item) => void epochs.push(readEpoch(item)));
  for (const [start, slot] of Map.groupBy(epochs, (epoch) => epoch.start)) {
    const end = start + Math.max(...slot.map(({ lastsMs }) => lastsMs));
    const at = { start, end, offsetMinutes: slot[0]?.offsetMinutes ?? 0 };
    for (const [index, [, metric, unit]] of TOTALS.entries()) records.sample(metric, at, addUp(slot, index), unit);
    records.sample('average_met', at, averageMet(slot), 'MET');
  }
  return records.records();
}

function readEpoch(item: JsonObject): Epoch {
  return {
    ...readSummaryTime(item),
    lastsMs: readLastingMs(item, 'durationInSeconds', 1_000) ?? EPOCH_MS,
    totals: TOTALS.map(([field]) => readNumber(item, field)),
    met: readNumber(item, 'met'), // of the time that the kind of activity took
    activeSeconds: readNumber(item, 'activeTimeInSeconds'),
  };
}

/** Null where one of them does not say: the rest is not the whole. */
function addUp(slot: readonly Epoch[], index: number): number | null {
  let sum: number | null = 0;
  for (const { totals } of slot) {
    const value = totals[index] ?? null;
    sum = sum === null || value === null ? null : sum + value;
  }
  return sum;
}

function averageMet(slot: readonly Epoch[]): number | null {
  let seconds = 0;
  let metSeconds = 0;
  for (const { met, activeSeconds } of slot) {
    if (met === null || activeSeconds === null) continue;
    seconds += activeSeconds;
    metSeconds += met * activeSeconds;
  }
  return seconds === 0 ? null : metSeconds / seconds;
}
