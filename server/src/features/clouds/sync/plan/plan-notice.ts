// What follows from a notice: data that can be believed is taken in, of everything else the provider itself is asked.
import type { CloudProvider, Notice, Resource } from '../../../../providers/contract.ts';
import { type ErrandTask, type NewErrand, type Span, URGENCY } from '../errand.ts';
import { isShared, type Sharing } from './plan-resources.ts';
import { splitSpan, startOfDays } from './plan-windows.ts';

const DAY_MS = 86_400_000;

export type NoticeFacts = {
  readonly sharing: Sharing;
  readonly zone: string | null;
  readonly now: Date;
  /** So much of the past is here in any case: a notice brings nothing that is older. */
  readonly historyDays: number;
};

/** Packed later, as it is of one account among several. `body` is JSON text already where a thread has read it. */
export type PushedBody = { readonly kind: 'pushed'; readonly resource: string; readonly body: unknown };
export type Planned =
  | { readonly errand: NewErrand }
  | { readonly pushed: PushedBody }
  /** The person ended it, and that can be believed. */
  | { readonly ended: true }
  | { readonly sharesAnything: boolean };

/** Signed, or of a provider that cannot be asked: then the secret in its path has to do. */
export function isBelieved({ webhook, resources }: CloudProvider): boolean {
  const isSigned = webhook?.trust === 'hmac' || webhook?.trust === 'asymmetric';
  return isSigned || resources.length === 0;
}

export function planNotice(provider: CloudProvider, notice: Notice, facts: NoticeFacts): Planned[] {
  const toErrands = (tasks: readonly ErrandTask[]): Planned[] => tasks.map((task) => ({ errand: toErrand(task) }));
  switch (notice.kind) {
    case 'pushed':
      if (isBelieved(provider)) return [{ pushed: notice }];
      return toErrands(fetchRecent(provider, notice.resource, facts));
    case 'deleted':
      if (isBelieved(provider)) return toErrands([{ kind: 'deleted', resource: notice.resource, id: notice.id }]);
      return toErrands(fetchRecent(provider, notice.resource, facts));
    case 'sharing':
      return isBelieved(provider) ? [{ sharesAnything: notice.sharesAnything }] : toErrands([{ kind: 'check' }]);
    case 'deauthorized':
      return isBelieved(provider) ? [{ ended: true }] : toErrands([{ kind: 'check' }]);
    case 'cleared':
      return toErrands(fetchCleared(provider, notice, facts));
    case 'changed': {
      if (notice.request !== undefined)
        return toErrands([{ kind: 'request', resource: notice.resource, request: notice.request }]);
      return toErrands(fetchChanged(provider, notice, facts));
    }
  }
}

type Changed = Extract<Notice, { kind: 'changed' }>;

function fetchChanged(provider: CloudProvider, notice: Changed, facts: NoticeFacts): ErrandTask[] {
  const resource = findShared(provider, notice.resource, facts);
  if (resource === null) return [];
  const { id, from, to } = notice;
  if (id !== null && resource.requestOne !== null) return [{ kind: 'one', resource: resource.name, id }];
  if (from === null || to === null) return fetchRecent(provider, resource.name, facts);
  return fetchSpan(provider, resource.name, { from, to: Math.max(to, from + 1) }, facts);
}

/** Nothing says when: what may still change. */
function fetchRecent(provider: CloudProvider, name: string, facts: NoticeFacts): ErrandTask[] {
  const resource = findShared(provider, name, facts);
  if (resource === null) return [];
  const nowMs = facts.now.getTime();
  const from = startOfDays(facts.zone, nowMs, Math.max(1, resource.settledAfterDays));
  return fetchSpan(provider, name, { from, to: nowMs }, facts);
}

type Cleared = Extract<Notice, { kind: 'cleared' }>;

/** How far back it is looked for where nothing says when it was: what is deleted is of the last days as a rule. */
const CLEARED_DAYS = 14;
/** So few are told on one page, so that nothing is missing between two. */
const CLEARED_WINDOW_DAYS = 7;
/** A night that began before the first day that is cleared tells of it, too. */
const NIGHT_BEFORE_MS = DAY_MS;

/** Each window clears its own part, with what is left there. */
function fetchCleared(provider: CloudProvider, { resource, of, span }: Cleared, facts: NoticeFacts): ErrandTask[] {
  const clearing = (task: WindowTask): WindowTask => ({ ...task, clears: { of, ...task.window } });
  if (span !== null) return fetchSpan(provider, resource, span, facts).map(clearing);
  const daysAgo = (days: number) => startOfDays(facts.zone, facts.now.getTime(), days);
  const recent = { from: daysAgo(Math.max(1, Math.min(CLEARED_DAYS, facts.historyDays - 1))), to: daysAgo(0) };
  return fetchSpan(provider, resource, recent, facts, CLEARED_WINDOW_DAYS)
    .map(clearing)
    .map((task) => ({ ...task, window: { ...task.window, from: task.window.from - NIGHT_BEFORE_MS } }));
}

type WindowTask = Extract<ErrandTask, { kind: 'window' }>;

function fetchSpan(
  provider: CloudProvider,
  name: string,
  { from, to }: Span,
  facts: NoticeFacts,
  maxDays = Number.POSITIVE_INFINITY,
): WindowTask[] {
  const resource = findShared(provider, name, facts);
  if (resource === null) return [];
  const nowMs = facts.now.getTime();
  const known = {
    from: Math.max(from, startOfDays(facts.zone, nowMs, facts.historyDays)),
    to: Math.min(to, nowMs + DAY_MS), // a clock may be ahead of ours
  };
  return splitSpan(facts.zone, known, Math.min(resource.windowDays, maxDays)).map((window) => ({
    kind: 'window',
    resource: name,
    window,
    walksTo: null,
    cursor: null,
    clears: null,
  }));
}

function findShared(provider: CloudProvider, name: string, { sharing }: NoticeFacts): Resource | null {
  const resource = provider.resources.find((candidate) => candidate.name === name);
  return resource !== undefined && isShared(resource, sharing) ? resource : null;
}

function toErrand(task: ErrandTask): NewErrand {
  return { task, urgency: URGENCY.notice, sameness: samenessOf(task) };
}

/** What clears is never the same as what only fetches: it must not be lost in it. */
function samenessOf(task: ErrandTask): string | null {
  switch (task.kind) {
    case 'window':
      return `window ${task.resource} ${task.window.from} ${task.window.to}${task.clears === null ? '' : ` ${task.clears.of}`}`;
    case 'one':
    case 'deleted':
      return `${task.kind} ${task.resource} ${task.id}`;
    case 'request':
      return `request ${JSON.stringify(task.request)}`;
    default:
      return task.kind;
  }
}
