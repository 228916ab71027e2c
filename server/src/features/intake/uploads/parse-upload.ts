// Parses an upload into checked records. An invalid envelope throws; an invalid item is rejected and the others are kept.
// Pure: does not know the stored data.
import type { Scope } from '../../../domain/metrics/categories.ts';
import { MAX_AHEAD_MS } from '../../../domain/metrics/record-limits.ts';
import type { Batch } from '../../pipeline/ingest/index.ts';
import type { SourceDescription } from '../../store/devices/index.ts';
import { dailyKind } from './parse-daily.ts';
import { deletionKind } from './parse-deletions.ts';
import { countItems, parseEnvelope, type UploadList } from './parse-envelope.ts';
import { keepLast, parseItems } from './parse-items.ts';
import { parseSamples } from './parse-samples.ts';
import { sleepKind } from './parse-sleep.ts';
import { workoutKind } from './parse-workouts.ts';
import { createRejects, type Reject } from './reject.ts';

export type ParsedUpload = Batch & {
  readonly uploadId: string;
  readonly source: SourceDescription;
  readonly timezone: string | null;
  /** Valid items that repeat an item of this upload exactly. */
  readonly duplicates: number;
  /** Valid items that a later item of this upload with the same identity replaces. */
  readonly replaced: number;
};

export type UploadContext = {
  readonly scopes: readonly Scope[];
  readonly sources: readonly string[];
  readonly now: Date;
};

/** `rejected` has the first rejects. Items sent = records + deletions + duplicates + replaced + rejectedCount. */
export type UploadResult = {
  readonly upload: ParsedUpload;
  readonly rejected: readonly Reject[];
  readonly rejectedCount: number;
  /** The number of items per list, valid and invalid. */
  readonly sent: Readonly<Record<UploadList, number>>;
};

export function parseUpload(json: unknown, { scopes, sources, now }: UploadContext): UploadResult {
  const { uploadId, source, timezone, lists } = parseEnvelope(json, sources);
  const context = { scopes, latestMs: now.getTime() + MAX_AHEAD_MS, provider: source.provider };
  const rejects = createRejects();
  const collected = parseSamples(lists.samples, context, rejects);
  const allDaily = parseItems(dailyKind(context), lists.daily, rejects);
  const allSleep = parseItems(sleepKind(context), lists.sleep, rejects);
  const allWorkouts = parseItems(workoutKind(context), lists.workouts, rejects);
  const deletions = parseItems(deletionKind(scopes), lists.deleted, rejects);
  const daily = keepLast(allDaily, ({ metric, date }) => `${metric} ${date}`);
  const sleep = keepLast(allSleep, ({ key }) => key);
  const workouts = keepLast(allWorkouts, ({ key }) => key);
  const all = [collected, daily, sleep, workouts];
  return {
    upload: {
      uploadId,
      source,
      timezone,
      samples: collected.samples,
      daily: daily.kept,
      sleep: sleep.kept,
      workouts: workouts.kept,
      deletions,
      duplicates: all.reduce((sum, { duplicates }) => sum + duplicates, 0),
      replaced: all.reduce((sum, { replaced }) => sum + replaced, 0),
    },
    rejected: rejects.named,
    rejectedCount: rejects.count,
    sent: countItems(lists),
  };
}
