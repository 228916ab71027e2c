// Sleeps that ended on a day: bedtimes, stage totals in seconds, a graph of stages, and graphs of heart rate and temperature. They have
// no id. Stages are named `deep_sleep` or `deep`, depending on the version.
import type { EpochMs, SleepStage, StagePeriod } from '../../domain/records/records.ts';
import { SECOND_MS } from '../../domain/time/durations.ts';
import type { MapContext } from '../contract.ts';
import { makeSleep, meanOf, scale } from '../make-sessions.ts';
import type { RecordCollector } from '../provider-records.ts';
import { type JsonObject, readList, readNumber, readPart, readText, required } from '../read-json.ts';
import { offsetAt, readEpochSeconds } from '../read-time.ts';
import { readOptional } from '../unreadable-fields.ts';
import { enabledHrvKind } from './hrv-kind.ts';

const STAGES: Readonly<Record<string, SleepStage>> = { deep: 'deep', light: 'light', rem: 'rem', awake: 'awake' };

/** Reads the sleeps of one day in the order of the answer. A night that is listed twice is read once. */
export function createSleepReader(into: RecordCollector, context: MapContext) {
  const starts = new Set<number>();
  return (sleep: JsonObject): void => {
    const start = required(readEpochSeconds(sleep, 'bedtime_start'), 'bedtime_start');
    const end = required(readEpochSeconds(sleep, 'bedtime_end'), 'bedtime_end');
    if (starts.has(start)) return;
    starts.add(start);
    const hrvKind = enabledHrvKind(context);
    const minutes = readStageMinutes(sleep);
    into.sleep(
      makeSleep({
        key: String(start / SECOND_MS), // if it is corrected, the former sleep is replaced (`replacesSleeps`)
        start,
        end,
        offsetMinutes: offsetAt(context.zone, start),
        stages: readStages(sleep),
        asleepMinutes: minutes('deep', 'light', 'rem'),
        deepMinutes: minutes('deep'),
        lightMinutes: minutes('light'),
        remMinutes: minutes('rem'),
        awakeMinutes: minutes('awake'),
        inBedMinutes: scale(readQuickMetric(sleep, 'time_in_bed'), 60), // s
        heartRate: readMean(sleep, 'hr_graph', 'sleep_heart_rate'), // bpm
        skinTemperature: readMean(sleep, 'temp_graph', 'sleep_skin_temperature'), // °C
        heartRateVariability: hrvKind === null ? null : readMean(sleep, 'hrv_graph', 'sleep_heart_rate_variability'), // ms
        hrvKind: hrvKind ?? 'rmssd',
      }),
    );
  };
}

/** Null if one of the stages has no total: a part is not the whole. */
function readStageMinutes(sleep: JsonObject): (...stages: readonly SleepStage[]) => number | null {
  const seconds = new Map<SleepStage, number>();
  for (const item of readList(sleep, 'sleep_stages')) {
    const stage = readStage(item);
    const total = readNumber(item, 'stage_time'); // s
    if (stage !== null && total !== null && total >= 0) seconds.set(stage, total);
  }
  return (...stages) => {
    const totals = stages.flatMap((stage) => seconds.get(stage) ?? []);
    return totals.length === stages.length ? totals.reduce((sum, total) => sum + total, 0) / 60 : null;
  };
}

/** All or none: without one of its parts a graph shows another night. */
function readStages(sleep: JsonObject): StagePeriod[] | null {
  return readOptional('sleep_graph', () => {
    const items = readList(readPart(sleep, 'sleep_graph') ?? {}, 'data');
    const periods = items.map((item) => ({
      stage: required(readStage(item), 'type'),
      start: required(readEpochSeconds(item, 'start'), 'start') as EpochMs,
      end: required(readEpochSeconds(item, 'end'), 'end') as EpochMs,
    }));
    return periods.length === 0 ? null : periods;
  });
}

function readStage(item: JsonObject): SleepStage | null {
  return (
    STAGES[
      readText(item, 'type')
        ?.toLowerCase()
        .replace(/_sleep$/, '') ?? ''
    ] ?? null
  );
}

/** One of the figures beside the graphs, by its type. */
function readQuickMetric(sleep: JsonObject, type: string): number | null {
  const found = readList(sleep, 'quick_metrics').find((item) => readText(item, 'type') === type);
  return found === undefined ? null : readNumber(found, 'value');
}

function readMean(sleep: JsonObject, name: string, metric: string): number | null {
  const points = readList(readPart(sleep, name) ?? {}, 'data');
  return meanOf(
    metric,
    points.flatMap((point) => readNumber(point, 'value') ?? []),
  );
}
