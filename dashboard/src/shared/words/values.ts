// Values of metrics in words: 4,157 · 7 h 50 · 23:41 · 86.1 bpm.
import { duration } from '../time/format-time.ts';
import { number } from './numbers.ts';

type ValueFormat = { readonly unit: string; readonly decimals: number };

const MINUTES_OF_DAY = 1_440;

/** The number without its unit, and the unit; null where the number says it. */
export function splitValue(
  value: number | null,
  { unit, decimals }: ValueFormat,
): { text: string; unit: string | null } {
  if (value === null) return { text: '–', unit: null };
  if (unit === 'min') return { text: value < 0 ? `−${duration(-value)}` : duration(value), unit: null };
  if (unit === 'min_of_day') return { text: timeOfDay(value), unit: null };
  return { text: number(value, decimals), unit: unit === 'count' || unit === 'index' ? null : unit };
}

export function formatValue(value: number | null, format: ValueFormat): string {
  const { text, unit } = splitValue(value, format);
  return unit === null ? text : `${text} ${unit}`;
}

/** Minutes after midnight; negative before it. */
function timeOfDay(minutes: number): string {
  const whole = ((Math.round(minutes) % MINUTES_OF_DAY) + MINUTES_OF_DAY) % MINUTES_OF_DAY;
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${pad(Math.floor(whole / 60))}:${pad(whole % 60)}`;
}
