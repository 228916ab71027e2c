// Formats the factors of a score as a table.
import { type Curve, USUAL_CURVE, USUAL_CURVE_DOWN } from '../../src/domain/scores/curve.ts';
import type { BudgetRule } from '../../src/domain/scores/signed-budget.ts';
import { table } from '../generate-pages.ts';

export function factorTable<Name extends string>({ factors }: Pick<BudgetRule<Name>, 'factors'>): string[] {
  return table(
    ['Factor', 'Up', 'Down', 'Input', 'Curve: input → effect'],
    (Object.keys(factors) as Name[]).map((name) => {
      const { up, down, input, curve } = factors[name];
      return [`\`${name}\``, String(up), String(down), input, describeCurve(curve)];
    }),
  );
}

export function describeCurve(curve: Curve): string {
  const knots = curve.map(([at, effect]) => `${number(at)} → ${number(effect)}`).join(', ');
  if (curve === USUAL_CURVE) return `standard: ${knots}`;
  return curve === USUAL_CURVE_DOWN ? `standard, reversed: ${knots}` : knots;
}

/** With a minus sign instead of a hyphen. */
export function number(value: number): string {
  return String(value).replace('-', '−');
}
