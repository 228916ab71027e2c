// The layout of the river. Pure.
import { linearScale, type Scale } from '../../shared/chart/scale.ts';
import type { RiverBand, RiverModel } from './river-model.ts';

export type BandBox = { readonly top: number; readonly height: number };
export type RiverLayout = {
  readonly isNarrow: boolean;
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly x: Scale;
  readonly tickHours: number;
  readonly sleep: (BandBox & { readonly copies: readonly BandBox[] }) | null;
  readonly bands: readonly (BandBox & { readonly band: RiverBand; readonly ribbon: number })[];
  readonly workouts: (BandBox & { readonly copiesTop: number }) | null;
};

export const AXIS_HEIGHT = 24;
export const STAGE_HEIGHT = 15;
const NARROW = 620;
const GUTTER = 132;
/** Names of bands stand above them in a narrow window. */
const NAME_HEIGHT = 20;
const COPY_HEIGHT = 7;
const COPY_STEP = 19;
const BAND_GAP = 22;
const HEIGHTS = { heart_rate: 100, steps: 86, others: 60 };
const RIBBON_GAP = 6;
export const RIBBON_HEIGHT = 4;
const WORKOUT_HEIGHT = 18;

export function layOutRiver(river: RiverModel, width: number): RiverLayout {
  const isNarrow = width < NARROW;
  const left = isNarrow ? 0 : GUTTER;
  const right = width - (isNarrow ? 1 : 4);
  const name = isNarrow ? NAME_HEIGHT : 0;
  let top = AXIS_HEIGHT + 4;
  const place = (height: number, gap: number): BandBox => {
    const box = { top: top + name, height };
    top += name + height + gap;
    return box;
  };
  const copies = river.sleeps.filter(({ isCounted }) => !isCounted).length;
  const sleepBox = river.sleeps.length === 0 ? null : place(4 * STAGE_HEIGHT, copies > 0 ? 6 : BAND_GAP);
  const copyBoxes = Array.from({ length: copies }, (_, index) => ({
    top: top + index * COPY_STEP,
    height: COPY_HEIGHT,
  }));
  if (copies > 0) top += copies * COPY_STEP + BAND_GAP - 6;
  const bands = river.bands.map((band) => {
    const box = place(heightOf(band), RIBBON_GAP + RIBBON_HEIGHT + BAND_GAP);
    return { ...box, band, ribbon: box.top + box.height + RIBBON_GAP };
  });
  const hasCopies = river.workouts.some(({ isCounted }) => !isCounted);
  const workouts = river.workouts.length === 0 ? null : place(WORKOUT_HEIGHT, hasCopies ? 16 : 10);
  return {
    isNarrow,
    width,
    height: top + 2,
    left,
    right,
    x: linearScale([river.fromMs, river.toMs], [left, right]),
    tickHours: isNarrow ? 6 : 3,
    sleep: sleepBox && { ...sleepBox, copies: copyBoxes },
    bands,
    workouts: workouts && { ...workouts, copiesTop: workouts.top + workouts.height + 5 },
  };
}

function heightOf({ metric }: RiverBand): number {
  return metric === 'heart_rate' || metric === 'steps' ? HEIGHTS[metric] : HEIGHTS.others;
}

const LETTER_WIDTH = 6.4; // on average, at the size of a name
const TEXT_GAP = 6;

/** The position of a text beside a bar: after it, before it, or at the right edge if neither side has room. */
export function placeText(
  text: string,
  from: number,
  to: number,
  { left, right }: Pick<RiverLayout, 'left' | 'right'>,
) {
  const width = text.length * LETTER_WIDTH + TEXT_GAP;
  if (to + width <= right) return { x: to + TEXT_GAP, textAnchor: 'start' } as const;
  return { x: from - width >= left ? from - TEXT_GAP : right, textAnchor: 'end' } as const;
}
