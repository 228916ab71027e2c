// An errand's task as the columns of its row, and back.
import type { ProviderRequest } from '../../../providers/contract.ts';
import type { Clearing, ErrandTask, Span } from './errand.ts';

export type ErrandColumns = {
  readonly kind: ErrandTask['kind'];
  readonly resource: string | null;
  readonly window_from: Date | null;
  readonly window_to: Date | null;
  readonly backfill_until: Date | null;
  readonly cursor: string | null;
  readonly details: unknown;
  readonly body: Buffer | null;
};

const NOTHING = {
  resource: null,
  window_from: null,
  window_to: null,
  backfill_until: null,
  cursor: null,
  details: null,
  body: null,
};

export function writeTask(task: ErrandTask): ErrandColumns {
  switch (task.kind) {
    case 'window':
    case 'history': {
      const { kind, resource, walksTo } = task;
      const columns = { ...NOTHING, kind, resource, ...writeSpan(task.window), backfill_until: toDate(walksTo) };
      return task.kind === 'history' ? columns : { ...columns, cursor: task.cursor, details: task.clears };
    }
    case 'arrival':
      return { ...NOTHING, kind: 'arrival', backfill_until: toDate(task.walksTo), details: { askedAt: task.askedAt } };
    case 'one':
    case 'deleted':
      return { ...NOTHING, kind: task.kind, resource: task.resource, details: { id: task.id } };
    case 'request':
      return { ...NOTHING, kind: 'request', resource: task.resource, details: task.request };
    case 'pushed':
      return { ...NOTHING, kind: 'pushed', resource: task.resource, body: task.packed };
    default:
      return { ...NOTHING, kind: task.kind };
  }
}

export function readTask(row: ErrandColumns): ErrandTask {
  const resource = row.resource ?? '';
  switch (row.kind) {
    case 'window': {
      const walksTo = row.backfill_until?.getTime() ?? null;
      const clears = row.details as Clearing | null;
      return { kind: 'window', resource, window: readSpan(row), walksTo, cursor: row.cursor, clears };
    }
    case 'history':
      return { kind: 'history', resource, window: readSpan(row), walksTo: row.backfill_until?.getTime() ?? 0 };
    case 'arrival':
      return { kind: 'arrival', ...(row.details as { askedAt: number }), walksTo: row.backfill_until?.getTime() ?? 0 };
    case 'one':
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

function writeSpan({ from, to }: Span) {
  return { window_from: toDate(from), window_to: toDate(to) };
}

function readSpan({ window_from: from, window_to: to }: ErrandColumns): Span {
  return { from: from?.getTime() ?? 0, to: to?.getTime() ?? 0 };
}

function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
