// Ends a window whose pages never end, because a broken provider would occupy a sync run forever and use up the rate limit of all users.
import type { Paging } from '../sync-task.ts';

/** A week with a heart rate per second is 61 pages, ten years with five workouts a day are 609. */
export const MAX_WINDOW_PAGES = 2_000;

/** Brent's algorithm: one remembered cursor finds a loop of any length, after about four times its pages. */
export function nextPaging({ pages, earlierCursor }: Paging, cursor: string): Paging {
  const fetched = pages + 1;
  return { pages: fetched, earlierCursor: Number.isInteger(Math.log2(fetched)) ? cursor : earlierCursor };
}

/** Null: the next page may be requested. */
export function findPagingProblem({ pages, earlierCursor }: Paging, current: string | null, next: string) {
  if (next === current || next === earlierCursor) return 'the cursors of its pages repeat';
  return pages + 1 < MAX_WINDOW_PAGES ? null : `more than ${MAX_WINDOW_PAGES.toLocaleString('en')} pages in one window`;
}
