// One step of a sync task: a mapped page with its responses, and the rest of the task after it.
import type { FetchWindow, ListedRecord } from '../../../../providers/contract.ts';
import type { ProviderRecords } from '../../../../providers/provider-records.ts';
import type { Deletion } from '../../../pipeline/ingest/index.ts';
import { partsOf } from '../plan/plan-resources.ts';
import type { ReconcileWindow, SyncAction, SyncTask } from '../sync-task.ts';
import { dropPositions } from './drop-positions.ts';
import { mapParts, type PagePart, type StoredPart } from './map-page.ts';
import { type Forbidden, type SyncRun, zoneOf } from './sync-run.ts';

type PageSource = {
  readonly parts: readonly PagePart[];
  readonly window: FetchWindow | null;
  readonly deletions?: readonly Deletion[];
  readonly reconciles?: ReconcileWindow | null;
  /** The rest of the task; null: it is done. */
  readonly next: SyncAction | null;
  readonly forbidden?: readonly Forbidden[];
  /** Each becomes a task. */
  readonly listed?: readonly ListedRecord[];
};

/** A month of a ring's minute values, and everything else of that month. */
const MAX_BYTES = 4 * 1_048_576;
const MAX_PAGES = 32;

export type MappedPage = Omit<PageSource, 'parts'> & {
  readonly parts: readonly StoredPart[];
  /** The account kept routes when the page was fetched. */
  readonly keepsRoutes: boolean;
  /** The task before this step. */
  readonly task: SyncTask;
  readonly records: readonly ProviderRecords[];
};

/** Steps of one task that are committed together or not at all. */
export type PageGroup = readonly [...MappedPage[], MappedPage];

/** Throws ProviderAnswerError if the page cannot be read. */
export function mapFetched(syncRun: SyncRun, task: SyncTask, source: PageSource): MappedPage {
  const { window } = source;
  const { app, keepsRoutes, services } = syncRun;
  const parts = keepsRoutes ? source.parts : dropPositions(app.provider, source.parts);
  const context = { window, zone: zoneOf(syncRun), keepsRoutes };
  const records = mapParts(app.provider, parts, context, partsOf(services.settings, app.provider.id));
  return { ...source, task, keepsRoutes, records, parts: parts.map(({ body, ...part }) => part) };
}

/** The task after the step. */
export function advance({ task, next }: MappedPage): SyncTask | null {
  return next && { ...task, action: next, step: task.step + 1, attempts: 0 };
}

/** Deletions of a step apply before its own records, so they must not be mixed with the records of another step. */
export function hasAnyDeletions({ records, reconciles = null, deletions = [] }: MappedPage): boolean {
  const isReportedGone = records.some(({ deletedSleep }) => deletedSleep.length > 0);
  return reconciles !== null || deletions.length > 0 || isReportedGone;
}

/** Limits what one transaction commits. */
export function isFull(mappedPages: readonly MappedPage[]): boolean {
  return hasMaxPages(mappedPages) || sumBytes(mappedPages) >= MAX_BYTES;
}

export function hasMaxPages(mappedPages: readonly MappedPage[]): boolean {
  return mappedPages.length >= MAX_PAGES;
}

function sumBytes(mappedPages: readonly MappedPage[]): number {
  return mappedPages.flatMap(({ parts }) => parts).reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);
}
