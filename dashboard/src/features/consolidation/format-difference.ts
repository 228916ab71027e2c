// Differences of values in words. Pure.
import { number, signed } from '../../shared/words/numbers.ts';
import { splitValue } from '../../shared/words/values.ts';

/** +1,081; −0 h 35; empty if one of the two is missing. */
export function formatDifference(
  from: number | null,
  to: number | null,
  format: { readonly unit: string; readonly decimals: number },
): string {
  if (from === null || to === null) return '';
  const difference = to - from;
  if (format.unit !== 'min' && format.unit !== 'min_of_day') return signed(difference, format.decimals);
  const { text } = splitValue(Math.abs(difference), { ...format, unit: 'min' });
  return difference < 0 ? `−${text}` : `+${text}`;
}

/** +15 % */
export function formatShare(from: number | null, to: number | null): string {
  if (from === null || to === null || from === 0) return '';
  const share = ((to - from) / Math.abs(from)) * 100;
  if (Math.abs(share) < 0.5) return '';
  return `${share > 0 ? '+' : '−'}${number(Math.abs(share))} %`;
}
