// Events in words.
import { shortDate } from '../../shared/time/format-time.ts';
import { listWords } from '../../shared/words/numbers.ts';
import type { Delivery } from './queries.ts';

const SHOWN_METRICS = 3;

/** "steps, distance, heart rate and 2 more · 9 Nov to 12 Nov" */
export function describeContent({ event_type, summary: { metrics, from_date, to_date } }: Delivery): string {
  const names = metrics.slice(0, SHOWN_METRICS).map((metric) => metric.replaceAll('_', ' '));
  const others = metrics.length - names.length;
  const what = others > 0 ? listWords([names.join(', '), `${others} more`]) : names.join(', ');
  return [what, describeDays(from_date, to_date)].filter((part) => part !== '').join(' · ') || event_type;
}

function describeDays(from: string | null, to: string | null): string {
  if (from === null || to === null) return '';
  return from === to ? shortDate(from) : `${shortDate(from)} to ${shortDate(to)}`;
}
