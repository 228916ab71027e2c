// The steps of a waterfall: where each bar begins and ends, so that the last one ends at the score. Pure.
import type { ExplainedScore, Factor } from './queries.ts';

export type WaterfallStep = {
  readonly factor: Factor;
  /** Points on the axis; `to` is where the next bar begins. */
  readonly from: number;
  readonly to: number;
};

export type Waterfall = {
  readonly neutral: number;
  readonly value: number;
  /** The parts of the sum, with a divider between them. Most scores have one. */
  readonly parts: readonly {
    readonly name: PartName | null;
    readonly steps: readonly WaterfallStep[];
    readonly end: number;
  }[];
  /** The axis: 0 to 100, and further if the sum goes beyond on its way. */
  readonly low: number;
  readonly high: number;
  readonly addsUp: boolean;
};

type PartName = 'charge' | 'drain';

/** The factors that drain the energy reserve; all others charge it. */
const DRAINS: ReadonlySet<string> = new Set(['strain', 'stress', 'time_awake']);

/** Null: there is no score. */
export function buildWaterfall({ type, value, neutral, factors }: ExplainedScore): Waterfall | null {
  if (value === null || neutral === null) return null;
  // In tenths, because sums of decimal fractions are not exact.
  let running = toTenths(neutral);
  const steps = factors.map((factor): WaterfallStep => {
    const from = running;
    running += toTenths(factor.contribution);
    return { factor, from: from / 10, to: running / 10 };
  });
  const ends = [neutral, value, ...steps.map(({ to }) => to)];
  return {
    neutral,
    value,
    parts: splitParts(type, neutral, steps),
    low: Math.min(0, ...ends),
    high: Math.max(100, ...ends),
    addsUp: running === toTenths(value),
  };
}

function splitParts(type: string, neutral: number, steps: readonly WaterfallStep[]): Waterfall['parts'] {
  const endOf = (some: readonly WaterfallStep[], before: number) => some.at(-1)?.to ?? before;
  if (type !== 'energy_reserve_score') return [{ name: null, steps, end: endOf(steps, neutral) }];
  const charges = steps.filter(({ factor }) => !DRAINS.has(factor.name));
  const drains = steps.filter(({ factor }) => DRAINS.has(factor.name));
  const charged = endOf(charges, neutral);
  return [
    { name: 'charge', steps: charges, end: charged },
    { name: 'drain', steps: drains, end: endOf(drains, charged) },
  ];
}

function toTenths(points: number): number {
  return Math.round(points * 10);
}

export type BarPosition = { readonly left: number; readonly width: number };

/** In percent of the axis. */
export function placeBar({ low, high }: Pick<Waterfall, 'low' | 'high'>, from: number, to: number): BarPosition {
  const scale = 100 / (high - low);
  return { left: (Math.min(from, to) - low) * scale, width: Math.abs(to - from) * scale };
}

type Band = { readonly from: number; readonly name: string };

/** Each band up to the next. */
export function placeBands(
  axis: Pick<Waterfall, 'low' | 'high'>,
  bands: readonly Band[],
): (BarPosition & { name: string })[] {
  return bands.map(({ from, name }, index) => ({ name, ...placeBar(axis, from, bands[index + 1]?.from ?? 100) }));
}
