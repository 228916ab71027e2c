// What one sync run did, collected while it runs and written to the sync log at its end. Pure.
import type { MetricId } from '../../../domain/metrics/index.ts';
import type { DateRange } from '../../../domain/time/calendar.ts';
import { type SyncUrgency, URGENCY } from './sync-task.ts';

export const SYNC_KINDS = ['webhook', 'poll', 'backfill'] as const;
export type SyncKind = (typeof SYNC_KINDS)[number];

export const SYNC_OUTCOMES = [
  /** Records were stored or deleted. */
  'changed',
  'unchanged',
  /** Our budget of requests is used up. */
  'no_budget',
  /** The provider asked us to wait. */
  'rate_limited',
  'unavailable',
  'unauthorized',
  /** Permanent: the user has to connect again. */
  'refused',
  /** The user does not share the resource. */
  'forbidden',
  /** An answer that we cannot use; the task is retried. */
  'wrong',
  'parked',
] as const;
export type SyncOutcome = (typeof SYNC_OUTCOMES)[number];

/** How a failure was handled. */
export type SyncProblem = {
  readonly outcome: Exclude<SyncOutcome, 'changed' | 'unchanged'>;
  /** The resource, or the problem of the answer. */
  readonly cause: string | null;
  readonly httpStatus: number | null;
  readonly retryAt: Date | null;
};

export type RunReport = {
  urgency: SyncUrgency | null;
  isAnswered: boolean;
  records: number;
  refused: number;
  readonly metrics: Set<MetricId>;
  days: DateRange | null;
  problem: SyncProblem | null;
};

export function createRunReport(): RunReport {
  return {
    urgency: null,
    isAnswered: false,
    records: 0,
    refused: 0,
    metrics: new Set(),
    days: null,
    problem: null,
  };
}

export type StoredPages = {
  readonly records: number;
  readonly refused: number;
  readonly metrics: Iterable<MetricId>;
  readonly days: readonly DateRange[];
};

export function reportPages(report: RunReport, pages: StoredPages): void {
  report.records += pages.records;
  report.refused += pages.refused;
  for (const metric of pages.metrics) report.metrics.add(metric);
  for (const { from, to } of pages.days)
    report.days = {
      from: report.days === null || from < report.days.from ? from : report.days.from,
      to: report.days === null || to > report.days.to ? to : report.days.to,
    };
}

export function reportUrgency(report: RunReport, urgency: SyncUrgency): void {
  report.urgency = (report.urgency === null ? urgency : Math.min(report.urgency, urgency)) as SyncUrgency;
}

/** A used-up budget is the normal end of a backfill's run, so it hides nothing else. */
export function reportProblem(report: RunReport, problem: SyncProblem | null): void {
  if (problem !== null && !(report.problem !== null && problem.outcome === 'no_budget')) report.problem = problem;
}

const KIND_OF: Readonly<Record<SyncUrgency, SyncKind>> = {
  [URGENCY.webhook]: 'webhook',
  [URGENCY.poll]: 'poll',
  [URGENCY.backfill]: 'backfill',
};

type LoggedRun = Pick<SyncProblem, 'cause' | 'httpStatus' | 'retryAt'> & {
  readonly kind: SyncKind;
  readonly outcome: SyncOutcome;
};

/** Null: the run neither asked the provider nor stored anything. */
export function concludeRun({ urgency, isAnswered, records, refused, problem }: RunReport): LoggedRun | null {
  if (urgency === null) return null;
  const kind = KIND_OF[urgency];
  if (problem !== null) return { kind, ...problem };
  const none = { cause: null, httpStatus: null, retryAt: null };
  if (records + refused > 0) return { kind, outcome: 'changed', ...none };
  return isAnswered ? { kind, outcome: 'unchanged', ...none } : null;
}
