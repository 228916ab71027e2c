// Curves that map an input to an effect: linear between their knots, flat beyond the first and the last.

type Knot = readonly [at: number, effect: number];
/** Ascending, effects from −1 to 1. */
export type Curve = readonly [Knot, ...Knot[]];

/** For inputs in spreads around the baseline: almost no effect within half a spread. */
export const USUAL_CURVE: Curve = [
  [-2, -1],
  [-1, -0.45],
  [-0.5, -0.05],
  [0.5, 0.05],
  [1, 0.45],
  [2, 1],
];

/** The same for inputs of which less is better. */
export const USUAL_CURVE_DOWN: Curve = [
  [-2, 1],
  [-1, 0.45],
  [-0.5, 0.05],
  [0.5, -0.05],
  [1, -0.45],
  [2, -1],
];

export function readCurve(curve: Curve, position: number): number {
  let [lower] = curve;
  if (position <= lower[0]) return lower[1];
  for (const knot of curve) {
    if (position < knot[0]) return interpolate(lower, knot, position);
    lower = knot;
  }
  return lower[1];
}

function interpolate([fromAt, from]: Knot, [toAt, to]: Knot, position: number): number {
  return from + ((to - from) * (position - fromAt)) / (toAt - fromAt);
}
