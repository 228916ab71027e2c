// What one step of an errand brought: a page with its answers, read, and what is left of the errand after it.
import type { FetchWindow } from '../../../../providers/contract.ts';
import type { ProviderRecords } from '../../../../providers/provider-records.ts';
import type { Deletion } from '../../../pipeline/ingest/index.ts';
import type { Clearing, Errand, ErrandTask } from '../errand.ts';
import { mapParts, type PagePart } from './map-page.ts';
import { type SyncTurn, zoneOf } from './sync-turn.ts';

type Brought = {
  readonly parts: readonly PagePart[];
  readonly window: FetchWindow | null;
  readonly deletions?: readonly Deletion[];
  readonly clears?: Clearing | null;
  /** What is left of the errand; null: nothing. */
  readonly next: ErrandTask | null;
  readonly forbidden?: readonly string[];
};

/** A month of a ring's minutes, and all else of that month. */
const MAX_BYTES = 4 * 1_048_576;
const MAX_PAGES = 32;

export type Harvest = Omit<Brought, 'parts'> & {
  /** Without what was read from them: it takes ten times the room. */
  readonly parts: readonly Omit<PagePart, 'body'>[];
  /** As it was before this step. */
  readonly errand: Errand;
  readonly told: readonly ProviderRecords[];
};

/** Steps of one errand that go in together or not at all. */
export type Bundle = readonly [...Harvest[], Harvest];

/** Throws ProviderAnswerError where the page makes no sense. */
export function reap(turn: SyncTurn, errand: Errand, brought: Brought): Harvest {
  const { parts, window } = brought;
  const told = mapParts(turn.app.provider, parts, { window, zone: zoneOf(turn) });
  return { ...brought, errand, told, parts: parts.map(({ body, ...part }) => part) };
}

/** After the step. */
export function advance({ errand, next }: Harvest): Errand | null {
  return next && { ...errand, task: next, step: errand.step + 1, attempts: 0 };
}

/** What a step takes back comes before its records, and so not before those of another step. */
export function takesBack({ told, clears = null, deletions = [] }: Harvest): boolean {
  const isToldGone = told.some(({ deletedSleep, deletedWorkouts }) => deletedSleep.length + deletedWorkouts.length > 0);
  return clears !== null || deletions.length > 0 || isToldGone;
}

/** No more than these go in together. */
export function isFull(harvests: readonly Harvest[]): boolean {
  return hasMaxPages(harvests) || sumBytes(harvests) >= MAX_BYTES;
}

export function hasMaxPages(harvests: readonly Harvest[]): boolean {
  return harvests.length >= MAX_PAGES;
}

function sumBytes(harvests: readonly Harvest[]): number {
  return harvests.flatMap(({ parts }) => parts).reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);
}
