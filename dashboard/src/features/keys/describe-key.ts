// What the page says about a key, computed from its times.

import type { ApiKey } from '../../shared/query/keys-query.ts';
import { dateTime, day, shortDateTime, until } from '../../shared/time/format-time.ts';
import type { Tone } from '../../shared/ui/pill.tsx';
import { words } from './words.ts';

type KeyState = { readonly tone: Tone; readonly text: string };

export function describeState({ ends_at, expires_at, expires_soon }: ApiKey, nowMs: number): KeyState {
  if (endOf({ ends_at, expires_at }) <= nowMs) return { tone: 'bad', text: words.expired };
  if (ends_at !== null) return { tone: 'warn', text: words.endsSoon(until(ends_at, nowMs)) };
  if (expires_soon) return { tone: 'warn', text: words.expiresSoon(until(expires_at, nowMs)) };
  return { tone: 'good', text: words.active };
}

/** Between 0 and 1. */
export function remainingLife(key: Pick<ApiKey, 'created_at' | 'ends_at' | 'expires_at'>, nowMs: number): number {
  const wholeMs = Date.parse(key.expires_at) - Date.parse(key.created_at);
  return Math.min(1, Math.max(0, (endOf(key) - nowMs) / Math.max(1, wholeMs)));
}

export function describeEnd({ ends_at, expires_at }: ApiKey, nowMs: number): string {
  const at = ends_at ?? expires_at;
  if (Date.parse(at) <= nowMs) return dateTime(at);
  return `${until(at, nowMs)}, ${ends_at === null ? day(at) : shortDateTime(at, nowMs)}`;
}

function endOf({ ends_at, expires_at }: Pick<ApiKey, 'ends_at' | 'expires_at'>): number {
  return Date.parse(ends_at ?? expires_at);
}
