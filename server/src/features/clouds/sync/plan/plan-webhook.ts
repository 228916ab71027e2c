// Plans the tasks that follow from a provider webhook: trusted data is stored, everything else is fetched from the provider.
import { DAY_MS } from '../../../../domain/time/durations.ts';
import type { CloudProvider, FetchInterval, Resource, WebhookItem } from '../../../../providers/contract.ts';
import { type NewSyncTask, type SyncAction, URGENCY } from '../sync-task.ts';
import { isEnabled, isShared, type Sharing } from './plan-resources.ts';
import { splitInterval, startOfDays } from './plan-windows.ts';

type WebhookFacts = {
  readonly sharing: Sharing;
  readonly zone: string | null;
  readonly now: Date;
  /** How far back we fetch: a webhook never fetches older data. */
  readonly historyDays: number;
};

/** Packed later, once per account. `body` is JSON text already if a thread parsed it. */
type PushedBody = { readonly kind: 'pushed'; readonly resource: string; readonly body: unknown };
export type Planned =
  | { readonly task: NewSyncTask }
  | { readonly pushed: PushedBody }
  /** The user ended the connection at the provider, and the webhook is trusted. */
  | { readonly ended: true }
  | { readonly sharesAnything: boolean };

/** Signed, or of a provider that cannot be queried: then the secret in its path has to suffice. */
function isTrusted({ webhook, resources }: CloudProvider): boolean {
  const isSigned = webhook?.trust === 'hmac' || webhook?.trust === 'asymmetric';
  return isSigned || resources.length === 0;
}

export function planWebhook(provider: CloudProvider, webhook: WebhookItem, facts: WebhookFacts): Planned[] {
  const toTasks = (actions: readonly SyncAction[]): Planned[] => actions.map((action) => ({ task: toTask(action) }));
  switch (webhook.kind) {
    case 'pushed':
      if (isTrusted(provider)) return [{ pushed: webhook }];
      return toTasks(fetchRecent(provider, webhook.resource, facts));
    case 'deleted':
      if (isTrusted(provider)) return toTasks([{ kind: 'deleted', resource: webhook.resource, id: webhook.id }]);
      return toTasks(confirmDeleted(provider, webhook, facts));
    case 'sharing':
      return isTrusted(provider) ? [{ sharesAnything: webhook.sharesAnything }] : toTasks([{ kind: 'check' }]);
    case 'deauthorized':
      return isTrusted(provider) ? [{ ended: true }] : toTasks([{ kind: 'check' }]);
    case 'reconcile':
      return toTasks(fetchReconciled(provider, webhook, facts));
    case 'changed': {
      const resource = provider.resources.find(({ name }) => name === webhook.resource);
      if (resource !== undefined && !isEnabled(resource, facts.sharing.parts)) return [];
      if (webhook.request !== undefined)
        return toTasks([{ kind: 'request', resource: webhook.resource, request: webhook.request }]);
      return toTasks(fetchChanged(provider, webhook, facts));
    }
  }
}

type Deleted = Extract<WebhookItem, { kind: 'deleted' }>;

/** The webhook is only a hint: if the provider still has the record, it is stored again. */
function confirmDeleted(provider: CloudProvider, { resource: name, id }: Deleted, facts: WebhookFacts): SyncAction[] {
  const resource = findShared(provider, name, facts);
  const canConfirm = resource?.requestOne !== undefined;
  return canConfirm ? [{ kind: 'one', resource: name, id, isDeleted: true }] : fetchRecent(provider, name, facts);
}

type Changed = Extract<WebhookItem, { kind: 'changed' }>;

function fetchChanged(provider: CloudProvider, webhook: Changed, facts: WebhookFacts): SyncAction[] {
  const resource = findShared(provider, webhook.resource, facts);
  if (resource === null) return [];
  const { id, from, to } = webhook;
  if (id !== null && resource.requestOne !== undefined) return [{ kind: 'one', resource: resource.name, id }];
  if (from === null || to === null) return fetchRecent(provider, resource.name, facts);
  return fetchInterval(provider, resource.name, { from, to: Math.max(to, from + 1) }, facts);
}

/** Without a time, fetches the days that may still change. */
function fetchRecent(provider: CloudProvider, name: string, facts: WebhookFacts): SyncAction[] {
  const resource = findShared(provider, name, facts);
  if (resource === null) return [];
  const nowMs = facts.now.getTime();
  const from = startOfDays(facts.zone, nowMs, Math.max(1, resource.settledAfterDays));
  return fetchInterval(provider, name, { from, to: nowMs }, facts);
}

type ReconcileItem = Extract<WebhookItem, { kind: 'reconcile' }>;

/** How far back we look if the webhook names no time: deleted records are usually recent. */
const RECONCILED_DAYS = 14;
/** Few enough for one page, so that no record is lost between two pages. */
const RECONCILE_WINDOW_DAYS = 7;
/** A night that began before the first reconciled day belongs to that day, too. */
const NIGHT_BEFORE_MS = DAY_MS;

/** Each window reconciles its own part. */
function fetchReconciled(
  provider: CloudProvider,
  { resource, of, interval }: ReconcileItem,
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
  { from, to }: FetchInterval,
  facts: WebhookFacts,
  maxDays = Number.POSITIVE_INFINITY,
): WindowAction[] {
  const resource = findShared(provider, name, facts);
  if (resource === null) return [];
  const nowMs = facts.now.getTime();
  const known = {
    from: Math.max(from, startOfDays(facts.zone, nowMs, facts.historyDays)),
    to: Math.min(to, nowMs + DAY_MS), // a provider's clock may be ahead of ours
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

/** A reconciling task has its own key, so that a task that only fetches cannot replace it. */
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
