// Rounds to tenths such that neutral and contributions add up to the value exactly.

const BILLION = 1e9;
const BILLIONTHS_PER_TENTH = BILLION / 10;

type ExactTenths = { readonly value: number; readonly contributions: readonly number[] };

/**
 * In tenths. Each contribution is rounded down, and the missing tenths go to the largest remainders, of equal ones to
 * the first. The neutral is whole. The value is not negative and equals neutral plus contributions, except for the last
 * bits.
 */
export function roundToTenths(value: number, neutral: number, contributions: readonly number[]): ExactTenths {
  const valueTenths = Math.floor(toBillionths(value) / BILLIONTHS_PER_TENTH + 0.5);
  const exact = contributions.map(toBillionths);
  const tenths = exact.map((one) => Math.floor(one / BILLIONTHS_PER_TENTH));
  const missing = valueTenths - neutral * 10 - tenths.reduce((sum, one) => sum + one, 0);
  const remainder = (index: number) => (exact[index] ?? 0) - (tenths[index] ?? 0) * BILLIONTHS_PER_TENTH;
  const byRemainder = [...exact.keys()].sort((a, b) => remainder(b) - remainder(a) || a - b);
  const rounded = [...tenths];
  for (const index of byRemainder.slice(0, missing)) rounded[index] = (rounded[index] ?? 0) + 1;
  return { value: valueTenths, contributions: rounded };
}

/**
 * Integers add up to the same sum in any order, and drop the last bits of exp and log, which differ between engines.
 */
export function toBillionths(value: number): number {
  return Math.round(value * BILLION) + 0; // no negative zero
}
