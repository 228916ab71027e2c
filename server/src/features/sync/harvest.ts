// What one step of an errand brought: a page with its answers, read, and what is left of the errand after it.
import type { FetchWindow } from '../../providers/contract.ts';
import type { ProviderRecords } from '../../providers/provider-records.ts';
import type { Deletion } from '../pipeline/index.ts';
import type { Clearing, Errand, ErrandTask } from './errand.ts';
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

export type Harvest = Omit<Brought, 'parts'> & {
  /** Without what was read from them: it takes ten times the room. */
  readonly parts: readonly Omit<PagePart, 'body'>[];
  /** As it was before this step. */
  readonly errand: Errand;
  readonly told: readonly ProviderRecords[];
};

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
