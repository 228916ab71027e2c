import { roundPixels } from '../../shared/chart/round-pixels.ts';
import { linearScale } from '../../shared/chart/scale.ts';
import type { DayValue } from './group-values.ts';

const EDGE = 15;

/** Where the values of devices and the result stand on a line; counted ones come last, to lie above. Pure. */
export function placeDots({ candidates, value }: Pick<DayValue, 'candidates' | 'value'>, width: number) {
  const known = candidates.filter((candidate) => candidate.value !== null);
  const numbers = [...known.map((candidate) => candidate.value as number), ...(value === null ? [] : [value])];
  const x = linearScale([Math.min(...numbers), Math.max(...numbers)], [EDGE, width - EDGE]);
  return {
    dots: known
      .map((candidate) => ({ candidate, x: roundPixels(x(candidate.value as number)) }))
      .toSorted((a, b) => Number(a.candidate.contributed !== null) - Number(b.candidate.contributed !== null)),
    result: value === null ? null : roundPixels(x(value)),
  };
}
