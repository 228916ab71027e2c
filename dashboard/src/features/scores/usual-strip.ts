// A measured value against the person's usual values. Pure.
import type { Factor } from './queries.ts';

type Usual = NonNullable<Factor['usual']>;

/** The values at a number of spreads from the mean. A log scale multiplies. */
function valueAt({ mean, spread, scale }: Usual, spreads: number): number {
  return scale === 'log' ? mean * Math.exp(spread * spreads) : mean + spread * spreads;
}

/** One spread around the mean. */
export function usualRange(usual: Usual): readonly [low: number, high: number] {
  return [valueAt(usual, -1), valueAt(usual, 1)];
}

/** In spreads from the mean, cut at `limit` on both sides so that it stays in the picture. */
export function placeInput({ input, usual }: Pick<Factor, 'input' | 'usual'>, limit: number): number | null {
  if (input === null || usual === null || usual.spread === 0) return null;
  const spreads =
    usual.scale === 'log' ? Math.log(input / usual.mean) / usual.spread : (input - usual.mean) / usual.spread;
  return Number.isFinite(spreads) ? Math.max(-limit, Math.min(limit, spreads)) : null;
}
