// Converts the action of a sync task to the columns of its row, and back.
import type { FetchInterval, ProviderRequest } from '../../../providers/contract.ts';
import type { Paging, ReconcileWindow, SyncAction } from './sync-task.ts';

export type TaskColumns = {
  readonly kind: SyncAction['kind'];
  readonly resource: string | null;
  readonly window_from: Date | null;
  readonly window_to: Date | null;
  readonly backfill_until: Date | null;
  readonly cursor: string | null;
  readonly details: unknown;
  readonly body: Buffer | null;
};

/** A worker of an earlier version moves the task without its paging, which the step shows. */
export type PagingColumn = { readonly step: number; readonly paging: (Paging & { readonly step: number }) | null };

const NOTHING = {
  resource: null,
  window_from: null,
  window_to: null,
  backfill_until: null,
  cursor: null,
  details: null,
  body: null,
};

export function writeTask(action: SyncAction): TaskColumns {
  switch (action.kind) {
    case 'window':
    case 'history': {
      const { kind, resource, backfillUntil } = action;
      const columns = {
        ...NOTHING,
        kind,
        resource,
        ...writeInterval(action.window),
        backfill_until: toDate(backfillUntil),
      };
      if (action.kind === 'history') return columns;
      const { cursor, reconciles } = action;
      return { ...columns, cursor, details: reconciles };
    }
    case 'arrival':
      return {
        ...NOTHING,
        kind: 'arrival',
        backfill_until: toDate(action.backfillUntil),
        details: { requestedAt: action.requestedAt },
      };
    case 'one': {
      const { kind, resource, window, backfillUntil = null, ...details } = action;
      const times = window === undefined ? {} : writeInterval(window);
      return { ...NOTHING, kind, resource, ...times, backfill_until: toDate(backfillUntil), details };
    }
    case 'deleted':
      return { ...NOTHING, kind: action.kind, resource: action.resource, details: { id: action.id } };
    case 'request':
      return { ...NOTHING, kind: 'request', resource: action.resource, details: action.request };
    case 'pushed':
      return { ...NOTHING, kind: 'pushed', resource: action.resource, body: action.packed };
    default:
      return { ...NOTHING, kind: action.kind };
  }
}

/** Of a task after its step. */
export function writePaging(action: SyncAction, step: number): PagingColumn['paging'] {
  return action.kind === 'window' && action.paging !== undefined ? { ...action.paging, step } : null;
}

export function readTask(row: TaskColumns & PagingColumn): SyncAction {
  const resource = row.resource ?? '';
  switch (row.kind) {
    case 'window': {
      const backfillUntil = row.backfill_until?.getTime() ?? null;
      const reconciles = row.details as ReconcileWindow | null;
      const { cursor } = row;
      return {
        kind: 'window',
        resource,
        window: readInterval(row),
        backfillUntil,
        cursor,
        reconciles,
        ...readPaging(row),
      };
    }
    case 'history':
      return {
        kind: 'history',
        resource,
        window: readInterval(row),
        backfillUntil: row.backfill_until?.getTime() ?? 0,
      };
    case 'arrival':
      return {
        kind: 'arrival',
        ...(row.details as { requestedAt: number }),
        backfillUntil: row.backfill_until?.getTime() ?? 0,
      };
    case 'one': {
      const backfillUntil = row.backfill_until?.getTime();
      return {
        kind: 'one',
        resource,
        ...(row.details as { id: string; isDeleted?: true }),
        ...(row.window_from !== null && { window: readInterval(row) }),
        ...(backfillUntil !== undefined && { backfillUntil }),
      };
    }
    case 'deleted':
      return { kind: row.kind, resource, id: (row.details as { id: string }).id };
    case 'request':
      return { kind: 'request', resource, request: row.details as ProviderRequest };
    case 'pushed':
      return { kind: 'pushed', resource, packed: row.body ?? Buffer.alloc(0) };
    default:
      return { kind: row.kind };
  }
}

function readPaging(row: PagingColumn): { readonly paging?: Paging } {
  if (row.paging === null || row.paging.step !== row.step) return {};
  const { step: _, ...paging } = row.paging;
  return { paging };
}

function writeInterval({ from, to }: FetchInterval) {
  return { window_from: toDate(from), window_to: toDate(to) };
}

function readInterval({ window_from: from, window_to: to }: TaskColumns): FetchInterval {
  return { from: from?.getTime() ?? 0, to: to?.getTime() ?? 0 };
}

function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
