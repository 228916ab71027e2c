// Plans what a poll fetches and how often a device is polled.
import { DAY_MS, MINUTE_MS } from '../../../../domain/time/durations.ts';
import type { CloudProvider, RateBudget } from '../../../../providers/contract.ts';
import { type NewSyncTask, URGENCY } from '../sync-task.ts';
import { listPolled, type Sharing } from './plan-resources.ts';
import { splitInterval, startOfDays } from './plan-windows.ts';

/** Without webhooks only a poll finds new data. */
const WITHOUT_WEBHOOKS_MS = 5 * MINUTE_MS;
/** Webhooks come first; polls are for lost ones. With the jitter it is a quarter of an hour at most. */
const WITH_WEBHOOKS_MS = 12.5 * MINUTE_MS;
/** All polls together use no more of a budget than this: the rest is for webhooks, backfills and tokens. */
const SHARE_OF_BUDGET = 0.5;
const JITTER = 0.2;

type PollFacts = {
  readonly zone: string | null;
  readonly now: Date;
  /** The end of the last poll. */
  readonly polledTo: Date | null;
  readonly maxDays: number;
};

/** Covers the days that may still change and those that no poll has fetched yet. */
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
        reconciles: resource.reconciles === undefined ? null : { of: resource.reconciles, ...window },
      } as const;
      return { action, urgency: URGENCY.poll, dedupeKey: null };
    });
  });
}

/** `random` in [0, 1): spreads devices that were connected at the same time. */
export function pollIntervalMs(provider: CloudProvider, devices: number, random: number): number {
  const usualMs = provider.webhook !== null ? WITH_WEBHOOKS_MS : WITHOUT_WEBHOOKS_MS;
  const wantedMs = Math.max(usualMs, (provider.pollMinutes ?? 0) * MINUTE_MS);
  const affordableMs = provider.budgets
    .filter(({ per }) => per === 'application')
    .map((budget) => (devices * provider.resources.length * 1_000) / (ratePerSecond(budget) * SHARE_OF_BUDGET));
  const intervalMs = Math.min(DAY_MS, Math.max(wantedMs, ...affordableMs));
  return intervalMs * (1 + JITTER * random);
}

function ratePerSecond({ requests, seconds }: RateBudget): number {
  return requests / seconds;
}
