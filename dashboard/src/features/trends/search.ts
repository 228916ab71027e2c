// What the address of the page says. Pure.
import { readTexts } from '../../shared/routing/read-texts.ts';

export const RANGES = [7, 28, 90, 365] as const;
export type TrendsSearch = {
  readonly days?: (typeof RANGES)[number];
  readonly category?: string;
  readonly q?: string;
  /** The metric whose samples are shown, and the part of them. */
  readonly samples?: string;
  readonly from?: number;
  readonly to?: number;
};

export function readSearch(search: Record<string, unknown>): TrendsSearch {
  const { days, from, to } = search;
  const known = RANGES.find((range) => range === days);
  return {
    ...(known && { days: known }),
    ...readTexts(search, ['category', 'q', 'samples']),
    ...(typeof from === 'number' && typeof to === 'number' && from < to && { from, to }),
  };
}
