// What the page says about a key, computed from its times.
import { DAY_MS } from '../../shared/time/durations.ts';
import { dateTime, day, shortDateTime, until } from '../../shared/time/format-time.ts';
import type { Tone } from '../../shared/ui/pill.tsx';
import type { ApiKey } from './queries.ts';
import { words } from './words.ts';

/** Keys are valid for 90 days; from 14 days before the end the page warns. */
const LIFETIME_MS = 90 * DAY_MS;
const WARN_MS = 14 * DAY_MS;

type KeyState = { readonly tone: Tone; readonly text: string };

export function describeState({ ends_at, expires_at }: ApiKey, nowMs: number): KeyState {
  const endMs = endOf({ ends_at, expires_at });
  if (endMs !== null && endMs <= nowMs) return { tone: 'bad', text: words.expired };
  if (ends_at !== null) return { tone: 'warn', text: words.endsSoon(until(ends_at, nowMs)) };
  if (expires_at !== null && Date.parse(expires_at) - nowMs <= WARN_MS)
    return { tone: 'warn', text: words.expiresSoon(until(expires_at, nowMs)) };
  return { tone: 'good', text: words.active };
}

/** Between 0 and 1, or null for a key without an end. */
export function remainingLife(
  key: Pick<ApiKey, 'created_at' | 'ends_at' | 'expires_at'>,
  nowMs: number,
): number | null {
  const endMs = endOf(key);
  if (endMs === null) return null;
  const wholeMs = key.expires_at === null ? LIFETIME_MS : Date.parse(key.expires_at) - Date.parse(key.created_at);
  return Math.min(1, Math.max(0, (endMs - nowMs) / Math.max(1, wholeMs)));
}

export function describeEnd({ ends_at, expires_at }: ApiKey, nowMs: number): string {
  const at = ends_at ?? expires_at;
  if (at === null) return words.noEnd;
  if (Date.parse(at) <= nowMs) return dateTime(at);
  return `${until(at, nowMs)}, ${ends_at === null ? day(at) : shortDateTime(at, nowMs)}`;
}

function endOf({ ends_at, expires_at }: Pick<ApiKey, 'ends_at' | 'expires_at'>): number | null {
  const at = ends_at ?? expires_at;
  return at === null ? null : Date.parse(at);
}
