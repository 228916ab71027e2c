// What one step of an errand brought: a page with its answers, read, and what is left of the errand after it.
import type { FetchWindow } from '../../../../providers/contract.ts';
import type { ProviderRecords } from '../../../../providers/provider-records.ts';
import type { Deletion } from '../../../pipeline/ingest/index.ts';
import type { ReconcileWindow, SyncAction, SyncTask } from '../sync-task.ts';
import { mapParts, type PagePart } from './map-page.ts';
import { type SyncRun, zoneOf } from './sync-run.ts';

type PageSource = {
  readonly parts: readonly PagePart[];
  readonly window: FetchWindow | null;
  readonly deletions?: readonly Deletion[];
  readonly reconciles?: ReconcileWindow | null;
  /** What is left of the errand; null: nothing. */
  readonly next: SyncAction | null;
  readonly forbidden?: readonly string[];
};

/** A month of a ring's minutes, and all else of that month. */
const MAX_BYTES = 4 * 1_048_576;
const MAX_PAGES = 32;

export type MappedPage = Omit<PageSource, 'parts'> & {
  /** Without what was read from them: it takes ten times the room. */
  readonly parts: readonly Omit<PagePart, 'body'>[];
  /** As it was before this step. */
  readonly task: SyncTask;
  readonly reported: readonly ProviderRecords[];
};

/** Steps of one errand that go in together or not at all. */
export type PageGroup = readonly [...MappedPage[], MappedPage];

/** Throws ProviderAnswerError where the page makes no sense. */
export function mapFetched(syncRun: SyncRun, task: SyncTask, source: PageSource): MappedPage {
  const { parts, window } = source;
  const reported = mapParts(syncRun.app.provider, parts, { window, zone: zoneOf(syncRun) });
  return { ...source, task, reported, parts: parts.map(({ body, ...part }) => part) };
}

/** After the step. */
export function advance({ task, next }: MappedPage): SyncTask | null {
  return next && { ...task, action: next, step: task.step + 1, attempts: 0 };
}

/** What a step takes back comes before its records, and so not before those of another step. */
export function takesBack({ reported, reconciles = null, deletions = [] }: MappedPage): boolean {
  const isReportedGone = reported.some(
    ({ deletedSleep, deletedWorkouts }) => deletedSleep.length + deletedWorkouts.length > 0,
  );
  return reconciles !== null || deletions.length > 0 || isReportedGone;
}

/** No more than these go in together. */
export function isFull(mappedPages: readonly MappedPage[]): boolean {
  return hasMaxPages(mappedPages) || sumBytes(mappedPages) >= MAX_BYTES;
}

export function hasMaxPages(mappedPages: readonly MappedPage[]): boolean {
  return mappedPages.length >= MAX_PAGES;
}

function sumBytes(mappedPages: readonly MappedPage[]): number {
  return mappedPages.flatMap(({ parts }) => parts).reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);
}
