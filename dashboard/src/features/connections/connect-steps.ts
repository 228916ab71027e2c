// The steps of a person who connects, as the dialog follows them. Pure.
import type { Connection } from './queries.ts';
import { words } from './words.ts';

type ConnectStep = { readonly key: string; readonly text: string; readonly state: 'done' | 'now' | 'later' };

export function listSteps(connection: Connection | undefined): ConnectStep[] {
  const link = connection?.link;
  const isConnected = connection?.status === 'active';
  const reached: [string, string, boolean][] = [
    ['created', words.steps.created, true],
    ['opened', words.steps.opened, link?.opened_at != null || isConnected],
    ['decided', words.steps.decided, link?.decided_at != null || isConnected],
    ['connected', words.steps.connected, isConnected],
    ['data', words.steps.data, isConnected && connection?.last_sync_at != null],
    ['history', words.steps.history, isConnected && connection?.backfill.state === 'done'],
  ];
  const current = reached.findIndex(([, , isReached]) => !isReached);
  return reached.map(([key, text, isReached], index) => ({
    key,
    text,
    state: isReached ? 'done' : index === current ? 'now' : 'later',
  }));
}

/** 28:04 */
export function countDown(expiresAt: string, nowMs: number): string | null {
  const seconds = Math.floor((Date.parse(expiresAt) - nowMs) / 1_000);
  if (seconds <= 0) return null;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
