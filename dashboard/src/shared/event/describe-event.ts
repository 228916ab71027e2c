// An event in words: what happened, to what, from which device. Pure.
import type { Replies } from '../../api/types.gen.ts';
import { calendarDate, clockSeconds, shortDate } from '../time/format-time.ts';
import { className, providerName } from '../user/devices.ts';
import { listWords } from '../words/numbers.ts';

export type LatestEvent = Replies['listLatestEvents']['data'][number];

const NAMED_METRICS = 3;

type Described = Pick<LatestEvent, 'metrics' | 'from_date' | 'to_date' | 'device'>;

/** steps, distance and 3 more · 14 Nov from Apple Watch */
export function describeEvent({ metrics, from_date, to_date, device }: Described): string {
  const when = describeDates(from_date, to_date);
  const from = device && `from ${device.name ?? `${providerName(device.provider)} ${className(device.class)}`}`;
  const place = [when, from].filter(Boolean).join(' ');
  return [listMetrics(metrics), place].filter(Boolean).join(' · ');
}

function listMetrics(metrics: readonly string[]): string {
  const names = metrics.map((metric) => metric.replace(/_score$/, '').replaceAll('_', ' '));
  if (names.length <= NAMED_METRICS + 1) return listWords(names);
  return `${names.slice(0, NAMED_METRICS).join(', ')} and ${names.length - NAMED_METRICS} more`;
}

function describeDates(from: string | null, to: string | null): string | null {
  if (from === null) return null;
  return to === null || to === from ? shortDate(from) : `${shortDate(from)} – ${shortDate(to)}`;
}

/** 19:04:31, with the day if it is not today's. */
export function timeOfEvent(at: string, nowMs: number = Date.now()): string {
  const date = calendarDate(at);
  return date === calendarDate(nowMs) ? clockSeconds(at) : `${shortDate(date)} ${clockSeconds(at)}`;
}

/** The name of the user: the reference, or the beginning of the id once the user is deleted. */
export function nameOfUser({ reference_id, user_id }: Pick<LatestEvent, 'reference_id' | 'user_id'>): string {
  return reference_id ?? `${user_id.slice(0, 8)}…`;
}
