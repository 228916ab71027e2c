// Backfill requests by kind and time. The data is sent later; the same window can be requested only once.
import { DAY_MS } from '../../domain/time/durations.ts';
import type { RawReply, RawRequest } from '../../platform/http/raw-route.ts';
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import type { ProviderContext } from '../provider-context.ts';
import { KINDS, listSummaries, type SummaryKind } from './kinds.ts';
import { REST } from './pull.ts';
import { refuseWith } from './refuse.ts';
import { writeSummaries } from './webhooks.ts';

/** Before the consent. */
const HISTORY_MS = 30 * DAY_MS;
const PATH = `${REST}/backfill`;

export const backfillRoutes: readonly SimulatedRoute[] = KINDS.flatMap((kind) => {
  const { backfillDays, permission, path, name } = kind;
  if (backfillDays === null) return [];
  const answer = (call: PersonCall) => answerBackfill(kind, backfillDays, call);
  return [{ method: 'GET', path: `${PATH}/${path ?? name}`, access: 'person', scope: permission, answer }];
});

function answerBackfill(kind: SummaryKind, maxDays: number, { view, query, context, scopes }: PersonCall): RawReply {
  const window = readWindow(query);
  const { account } = view;
  if (!scopes.includes('HISTORICAL_DATA_EXPORT'))
    return refuseWith(412, 'The user has not permitted HISTORICAL_DATA_EXPORT');
  if (context.webhookUrl === null) return refuseWith(400, `Endpoint not enabled for summary type: ${kind.name}`);
  if (window === null) return refuseWith(400, 'Missing time range parameters');
  const { startMs, endMs } = window;
  if (endMs <= startMs) return refuseWith(400, 'The end must be after the start');
  if (endMs - startMs > maxDays * DAY_MS) return refuseWith(400, `The time range is longer than ${maxDays} days`);
  const earliestMs = account.connectedAtMs - HISTORY_MS;
  if (startMs < earliestMs)
    return refuseWith(400, `start ${writeUtc(startMs)} before min start time of ${writeUtc(earliestMs)}`);
  const requested = `${backfillsOf(account.seed)}${kind.name}/${startMs}/${endMs}`;
  if (context.facts.has(requested) || context.takeFault('repeated_backfill', account.seed))
    return refuseWith(409, `duplicate backfill of ${writeUtc(startMs)} to ${writeUtc(endMs)}`);
  context.facts.set(requested, writeUtc(view.nowMs));
  context.queue(writeSummaries(kind, listSummaries(kind, view, startMs, endMs), view, context));
  return { status: 202 };
}

export function forgetBackfills({ facts }: ProviderContext, seed: string): void {
  for (const name of [...facts.keys()]) if (name.startsWith(backfillsOf(seed))) facts.delete(name);
}

/** Backfills are limited by the days that they request. */
export function countDays({ path, query }: RawRequest): number {
  const window = path.includes(`${PATH}/`) ? readWindow(query) : null;
  if (window === null) return 0;
  const longest = Math.max(...KINDS.map(({ backfillDays }) => backfillDays ?? 0));
  return Math.min(longest, Math.max(0, Math.ceil((window.endMs - window.startMs) / DAY_MS)));
}

function backfillsOf(seed: string): string {
  return `backfill/${seed}/`;
}

function readWindow(query: URLSearchParams): { startMs: number; endMs: number } | null {
  const [start, end] = ['summaryStartTimeInSeconds', 'summaryEndTimeInSeconds'].map((name) => query.get(name) ?? '');
  const isTime = (text = '') => /^\d{1,11}$/.test(text);
  return isTime(start) && isTime(end) ? { startMs: Number(start) * 1_000, endMs: Number(end) * 1_000 } : null;
}

function writeUtc(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -5)}Z`;
}
