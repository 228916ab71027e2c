// A sync task: one thing to fetch from a provider or to store from its webhook.
import type { MetricId } from '../../../domain/metrics/index.ts';
import type { DeviceId, Tenant, UserId } from '../../../domain/tenancy.ts';
import type { FetchInterval, ProviderRequest } from '../../../providers/contract.ts';

/** Webhooks come before polls, and polls before backfills. */
export const URGENCY = { webhook: 0, poll: 1, backfill: 2 } as const;
export type SyncUrgency = (typeof URGENCY)[keyof typeof URGENCY];

/**
 * Something in the window was deleted, and nothing says what: once all remaining records are fetched, to the last page, we delete
 * ours that were not sent again.
 */
export type ReconcileWindow = FetchInterval & {
  readonly of: 'sleep' | 'workouts' | readonly MetricId[];
  /** This is the newest part of a window that is too large for one transaction; the rest follows, back to here. */
  readonly backTo?: number;
};

/**
 * Pages of a window that are fetched. `earlierCursor`: led to one of them, so a page that returns it begins them again. `isStored`: the
 * page at the cursor of the task is stored, but no page may follow the cursor that it returned.
 */
export type Paging = { readonly pages: number; readonly earlierCursor: string | null; readonly isStored?: true };

export type SyncAction =
  /** A window of a resource, page by page. `backfillUntil`: then the window before it, and so on back to there. */
  | {
      readonly kind: 'window';
      readonly resource: string;
      readonly window: FetchInterval;
      readonly backfillUntil: number | null;
      readonly cursor: string | null;
      /** Absent on the first page. Only the first page reconciles, so there is never both. */
      readonly paging?: Paging;
      readonly reconciles: ReconcileWindow | null;
    }
  /**
   * `isDeleted`: ours is deleted if the provider does not have it. `window`: the times of a listed record; `backfillUntil`: of the
   * backfill that listed it.
   */
  | {
      readonly kind: 'one';
      readonly resource: string;
      readonly id: string;
      readonly isDeleted?: true;
      readonly window?: FetchInterval;
      readonly backfillUntil?: number;
    }
  /** A request that the webhook names. */
  | { readonly kind: 'request'; readonly resource: string; readonly request: ProviderRequest }
  /** Packed JSON. */
  | { readonly kind: 'pushed'; readonly resource: string; readonly packed: Buffer }
  | { readonly kind: 'deleted'; readonly resource: string; readonly id: string }
  /** Requested now and pushed later. */
  | {
      readonly kind: 'history';
      readonly resource: string;
      readonly window: FetchInterval;
      readonly backfillUntil: number;
    }
  /** Waits for requested history. `requestedAt`: the last request. */
  | { readonly kind: 'arrival'; readonly requestedAt: number; readonly backfillUntil: number }
  /** Checks whether the provider still accepts the tokens. */
  | { readonly kind: 'check' }
  | { readonly kind: 'subscribe' };

export type NewSyncTask = {
  readonly action: SyncAction;
  readonly urgency: SyncUrgency;
  /** A waiting task with the same key is the same task. Null: never merged. */
  readonly dedupeKey: string | null;
};

export type SyncTask = NewSyncTask & {
  readonly id: string;
  readonly userId: UserId;
  readonly deviceId: DeviceId;
  /** Grows with every page: shows whether the task is still the one that was started. */
  readonly step: number;
  readonly attempts: number;
  readonly createdAt: Date;
};

/** Kinds without a request to the provider. */
export const KINDS_WITHOUT_REQUEST: readonly SyncAction['kind'][] = ['pushed', 'deleted', 'arrival'];

export type DeviceKey = { readonly userId: UserId; readonly deviceId: DeviceId };

/** A connected device, as the sync engine sees it. */
export type SyncedDevice = {
  readonly userId: UserId;
  readonly deviceId: DeviceId;
  readonly tenant: Tenant;
  readonly provider: string;
  readonly appId: string;
  readonly nextPollAt: Date | null;
  readonly polledTo: Date | null;
  readonly backoffUntil: Date | null;
  readonly failures: number;
  readonly unauthorizedSince: Date | null;
  readonly skippedResources: readonly string[];
};
