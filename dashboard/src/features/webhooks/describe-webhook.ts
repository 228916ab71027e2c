// The state of a webhook in words and figures.
import { DAY_MS } from '../../shared/time/durations.ts';
import { ago, clock, shortDateTime, until } from '../../shared/time/format-time.ts';
import type { Tone } from '../../shared/ui/pill.tsx';
import type { Webhook } from './queries.ts';
import { words } from './words.ts';

export function nameOf({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return description?.trim() || hostOf(url);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

type State = { readonly tone: Tone; readonly text: string };

export function describeWebhook({ status, disabled_reason, health }: Webhook, nowMs: number): State {
  if (status === 'disabled')
    return { tone: disabled_reason === 'paused' ? 'warn' : 'bad', text: words.disabled[disabled_reason ?? 'paused'] };
  if (health.failing_since !== null) return { tone: 'bad', text: words.failingFor(lasts(health.failing_since, nowMs)) };
  return health.strip.length === 0 ? { tone: 'plain', text: words.unused } : { tone: 'good', text: words.healthy };
}

/** Null: no attempt in 24 hours. Rounded down, so that 100 means all. */
export function successRate({ attempts_24h, failed_24h }: Webhook['health']): number | null {
  return attempts_24h === 0 ? null : Math.floor((100 * (attempts_24h - failed_24h)) / attempts_24h);
}

type Warning = { readonly tone: 'bad' | 'warn'; readonly title: string; readonly text: string };

/** The problem of a webhook, since when, and the consequence. Null: none. */
export function warnOf({ status, disabled_reason, health }: Webhook, nowMs: number): Warning | null {
  const { failing_since, disables_at, waiting } = health;
  if (status === 'disabled') {
    const reason = disabled_reason ?? 'paused';
    return { tone: reason === 'paused' ? 'warn' : 'bad', ...words.disabledNotes[reason](waiting) };
  }
  if (failing_since === null) return null;
  return {
    tone: 'bad',
    title: words.failingSince(sinceWhen(failing_since, nowMs)),
    text: words.failingNote(waiting, disables_at === null ? null : until(disables_at, nowMs)),
  };
}

function sinceWhen(at: string, nowMs: number): string {
  return nowMs - Date.parse(at) < DAY_MS ? clock(at) : shortDateTime(at, nowMs);
}

function lasts(at: string, nowMs: number): string {
  return ago(at, nowMs).replace(/ ago$/, '');
}
