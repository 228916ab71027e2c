// What follows from a notice: data that can be believed is taken in, of everything else the provider itself is asked.
import type { CloudProvider, Resource, WebhookItem } from '../../../../providers/contract.ts';
import { type Interval, type NewSyncTask, type SyncAction, URGENCY } from '../sync-task.ts';
import { isShared, type Sharing } from './plan-resources.ts';
import { splitInterval, startOfDays } from './plan-windows.ts';

const DAY_MS = 86_400_000;

export type WebhookFacts = {
  readonly sharing: Sharing;
  readonly zone: string | null;
  readonly now: Date;
  /** So much of the past is here in any case: a notice brings nothing that is older. */
  readonly historyDays: number;
};

/** Packed later, as it is of one account among several. `body` is JSON text already where a thread has read it. */
export type PushedBody = { readonly kind: 'pushed'; readonly resource: string; readonly body: unknown };
export type Planned =
  | { readonly task: NewSyncTask }
  | { readonly pushed: PushedBody }
  /** The person ended it, and that can be believed. */
  | { readonly ended: true }
  | { readonly sharesAnything: boolean };

/** Signed, or of a provider that cannot be asked: then the secret in its path has to do. */
export function isBelieved({ webhook, resources }: CloudProvider): boolean {
  const isSigned = webhook?.trust === 'hmac' || webhook?.trust === 'asymmetric';
  return isSigned || resources.length === 0;
}

export function planWebhook(provider: CloudProvider, webhook: WebhookItem, facts: WebhookFacts): Planned[] {
  const toTasks = (actions: readonly SyncAction[]): Planned[] => actions.map((action) => ({ task: toTask(action) }));
  switch (webhook.kind) {
    case 'pushed':
      if (isBelieved(provider)) return [{ pushed: webhook }];
      return toTasks(fetchRecent(provider, webhook.resource, facts));
    case 'deleted':
      if (isBelieved(provider)) return toTasks([{ kind: 'deleted', resource: webhook.resource, id: webhook.id }]);
      return toTasks(fetchRecent(provider, webhook.resource, facts));
    case 'sharing':
      return isBelieved(provider) ? [{ sharesAnything: webhook.sharesAnything }] : toTasks([{ kind: 'check' }]);
    case 'deauthorized':
      return isBelieved(provider) ? [{ ended: true }] : toTasks([{ kind: 'check' }]);
    case 'cleared':
      return toTasks(fetchReconciled(provider, webhook, facts));
    case 'changed': {
      if (webhook.request !== undefined)
        return toTasks([{ kind: 'request', resource: webhook.resource, request: webhook.request }]);
      return toTasks(fetchChanged(provider, webhook, facts));
    }
  }
}

type Changed = Extract<WebhookItem, { kind: 'changed' }>;

function fetchChanged(provider: CloudProvider, webhook: Changed, facts: WebhookFacts): SyncAction[] {
  const resource = findShared(provider, webhook.resource, facts);
  if (resource === null) return [];
  const { id, from, to } = webhook;
  if (id !== null && resource.requestOne !== null) return [{ kind: 'one', resource: resource.name, id }];
  if (from === null || to === null) return fetchRecent(provider, resource.name, facts);
  return fetchInterval(provider, resource.name, { from, to: Math.max(to, from + 1) }, facts);
}

/** Nothing says when: what may still change. */
function fetchRecent(provider: CloudProvider, name: string, facts: WebhookFacts): SyncAction[] {
  const resource = findShared(provider, name, facts);
  if (resource === null) return [];
  const nowMs = facts.now.getTime();
  const from = startOfDays(facts.zone, nowMs, Math.max(1, resource.settledAfterDays));
  return fetchInterval(provider, name, { from, to: nowMs }, facts);
}

type ReconcileWindow = Extract<WebhookItem, { kind: 'cleared' }>;

/** How far back it is looked for where nothing says when it was: what is deleted is of the last days as a rule. */
const RECONCILED_DAYS = 14;
/** So few are told on one page, so that nothing is missing between two. */
const RECONCILE_WINDOW_DAYS = 7;
/** A night that began before the first day that is cleared tells of it, too. */
const NIGHT_BEFORE_MS = DAY_MS;

/** Each window clears its own part, with what is left there. */
function fetchReconciled(
  provider: CloudProvider,
  { resource, of, interval }: ReconcileWindow,
  facts: WebhookFacts,
): SyncAction[] {
  const reconciling = (action: WindowAction): WindowAction => ({ ...action, reconciles: { of, ...action.window } });
  if (interval !== null) return fetchInterval(provider, resource, interval, facts).map(reconciling);
  const daysAgo = (days: number) => startOfDays(facts.zone, facts.now.getTime(), days);
  const recent = { from: daysAgo(Math.max(1, Math.min(RECONCILED_DAYS, facts.historyDays - 1))), to: daysAgo(0) };
  return fetchInterval(provider, resource, recent, facts, RECONCILE_WINDOW_DAYS)
    .map(reconciling)
    .map((action) => ({ ...action, window: { ...action.window, from: action.window.from - NIGHT_BEFORE_MS } }));
}

type WindowAction = Extract<SyncAction, { kind: 'window' }>;

function fetchInterval(
  provider: CloudProvider,
  name: string,
  { from, to }: Interval,
  facts: WebhookFacts,
  maxDays = Number.POSITIVE_INFINITY,
): WindowAction[] {
  const resource = findShared(provider, name, facts);
  if (resource === null) return [];
  const nowMs = facts.now.getTime();
  const known = {
    from: Math.max(from, startOfDays(facts.zone, nowMs, facts.historyDays)),
    to: Math.min(to, nowMs + DAY_MS), // a clock may be ahead of ours
  };
  return splitInterval(facts.zone, known, Math.min(resource.windowDays, maxDays)).map((window) => ({
    kind: 'window',
    resource: name,
    window,
    backfillUntil: null,
    cursor: null,
    reconciles: null,
  }));
}

function findShared(provider: CloudProvider, name: string, { sharing }: WebhookFacts): Resource | null {
  const resource = provider.resources.find((candidate) => candidate.name === name);
  return resource !== undefined && isShared(resource, sharing) ? resource : null;
}

function toTask(action: SyncAction): NewSyncTask {
  return { action, urgency: URGENCY.webhook, dedupeKey: dedupeKeyOf(action) };
}

/** What clears is never the same as what only fetches: it must not be lost in it. */
function dedupeKeyOf(action: SyncAction): string | null {
  switch (action.kind) {
    case 'window':
      return `window ${action.resource} ${action.window.from} ${action.window.to}${action.reconciles === null ? '' : ` ${action.reconciles.of}`}`;
    case 'one':
    case 'deleted':
      return `${action.kind} ${action.resource} ${action.id}`;
    case 'request':
      return `request ${JSON.stringify(action.request)}`;
    default:
      return action.kind;
  }
}
