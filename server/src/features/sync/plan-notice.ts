// What follows from a notice: data that can be believed is taken in, of everything else the provider itself is asked.
import type { CloudProvider, Notice, Resource } from '../../providers/contract.ts';
import { type Clearing, type ErrandTask, type NewErrand, type Span, URGENCY } from './errand.ts';
import { isShared, type Sharing } from './plan-resources.ts';
import { splitSpan, startOfDays } from './plan-windows.ts';

export type NoticeFacts = { readonly sharing: Sharing; readonly zone: string | null; readonly now: Date };

/** Packed later, as it is of one account among several. */
export type PushedBody = { readonly kind: 'pushed'; readonly resource: string; readonly body: unknown };
export type Planned =
  | { readonly errand: NewErrand }
  | { readonly pushed: PushedBody }
  /** The person ended it, and that can be believed. */
  | { readonly ended: true };

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
    case 'deauthorized':
      return isBelieved(provider) ? [{ ended: true }] : toErrands([{ kind: 'check' }]);
    case 'cleared':
      return toErrands(fetchSpan(provider, notice.resource, notice, facts, notice));
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
  return fetchSpan(provider, resource.name, { from, to: Math.max(to, from + 1) }, facts, null);
}

/** Nothing says when: what may still change. */
function fetchRecent(provider: CloudProvider, name: string, facts: NoticeFacts): ErrandTask[] {
  const resource = findShared(provider, name, facts);
  if (resource === null) return [];
  const nowMs = facts.now.getTime();
  const from = startOfDays(facts.zone, nowMs, Math.max(1, resource.settledAfterDays));
  return fetchSpan(provider, name, { from, to: nowMs }, facts, null);
}

/** Each window clears its own part, with what is left there. */
function fetchSpan(
  provider: CloudProvider,
  name: string,
  { from, to }: Span,
  facts: NoticeFacts,
  clears: Pick<Clearing, 'of'> | null,
): ErrandTask[] {
  const resource = findShared(provider, name, facts);
  if (resource === null) return [];
  return splitSpan(facts.zone, { from, to }, resource.windowDays).map((window) => ({
    kind: 'window',
    resource: name,
    window,
    walksTo: null,
    cursor: null,
    clears: clears === null ? null : { of: clears.of, ...window },
  }));
}

function findShared(provider: CloudProvider, name: string, { sharing }: NoticeFacts): Resource | null {
  const resource = provider.resources.find((candidate) => candidate.name === name);
  return resource !== undefined && isShared(resource, sharing) ? resource : null;
}

function toErrand(task: ErrandTask): NewErrand {
  return { task, urgency: URGENCY.notice, sameness: samenessOf(task) };
}

/** What clears is its own: a later one must not take the place of one that has begun. */
function samenessOf(task: ErrandTask): string | null {
  switch (task.kind) {
    case 'window':
      return task.clears === null ? `window ${task.resource} ${task.window.from} ${task.window.to}` : null;
    case 'one':
    case 'deleted':
      return `${task.kind} ${task.resource} ${task.id}`;
    case 'request':
      return `request ${JSON.stringify(task.request)}`;
    default:
      return task.kind;
  }
}
