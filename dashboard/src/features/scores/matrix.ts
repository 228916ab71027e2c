// How strongly a cell of the table of factors is coloured. Pure.

/** Points from which a factor counts as strong: the largest budgets of the scores are 15 to 45 points. */
const STEPS = [0.05, 2, 4, 7, 10.5, 14];

/** 0: nothing, to 6: as strong as it gets. Steps instead of a scale, so that the contrast of each is known. */
export function strengthOf(points: number): number {
  return STEPS.filter((from) => Math.abs(points) >= from).length;
}
