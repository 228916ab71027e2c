// What a poll asks for, and how often there is one.
import type { CloudProvider, RateBudget } from '../../../../providers/contract.ts';
import { type NewSyncTask, URGENCY } from '../sync-task.ts';
import { listPolled, type Sharing } from './plan-resources.ts';
import { splitInterval, startOfDays } from './plan-windows.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Nothing else tells that there is something new. */
const WITHOUT_WEBHOOKS_MS = 5 * MINUTE_MS;
/** Notices come first; this is for those that were lost. With the jitter it is a quarter of an hour at most. */
const WITH_WEBHOOKS_MS = 12.5 * MINUTE_MS;
/** All polls together take no more of a budget than this: the rest is for notices, history and tokens. */
const SHARE_OF_BUDGET = 0.5;
const JITTER = 0.2;

export type PollFacts = {
  readonly zone: string | null;
  readonly now: Date;
  /** Up to here all was asked for before. */
  readonly polledTo: Date | null;
  readonly maxDays: number;
};

/** The days that may still change, and those of which nobody has asked yet. */
export function planPoll(
  provider: CloudProvider,
  sharing: Sharing,
  { zone, now, polledTo, maxDays }: PollFacts,
): NewSyncTask[] {
  const nowMs = now.getTime();
  return listPolled(provider, sharing).flatMap((resource) => {
    const earliest = startOfDays(zone, nowMs, Math.min(resource.historyDays ?? provider.historyDays, maxDays));
    const unsettled = startOfDays(zone, polledTo?.getTime() ?? nowMs, Math.max(1, resource.settledAfterDays));
    const interval = { from: Math.max(earliest, unsettled), to: nowMs };
    return splitInterval(zone, interval, resource.windowDays).map((window): NewSyncTask => {
      const action = {
        kind: 'window',
        resource: resource.name,
        window,
        backfillUntil: null,
        cursor: null,
        reconciles: null,
      } as const;
      return { action, urgency: URGENCY.poll, dedupeKey: null };
    });
  });
}

/** `random` in [0, 1): devices that were connected together are not asked for together. */
export function pollIntervalMs(provider: CloudProvider, devices: number, random: number): number {
  const wantedMs = provider.push && provider.webhook !== null ? WITH_WEBHOOKS_MS : WITHOUT_WEBHOOKS_MS;
  const affordableMs = provider.budgets
    .filter(({ per }) => per === 'application')
    .map((budget) => (devices * provider.resources.length * 1_000) / (ratePerSecond(budget) * SHARE_OF_BUDGET));
  const intervalMs = Math.min(DAY_MS, Math.max(wantedMs, ...affordableMs));
  return intervalMs * (1 + JITTER * random);
}

function ratePerSecond({ requests, seconds }: RateBudget): number {
  return requests / seconds;
}
