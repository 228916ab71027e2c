// One thing to fetch from a cloud or to take in from it.
import type { MetricId } from '../../../domain/metrics/index.ts';
import type { DeviceId, Tenant, UserId } from '../../../domain/tenancy.ts';
import type { ProviderRequest } from '../../../providers/contract.ts';

/** A notice of the provider comes before a poll, and a poll before history. */
export const URGENCY = { webhook: 0, poll: 1, backfill: 2 } as const;
export type Urgency = (typeof URGENCY)[keyof typeof URGENCY];

/** [from, to), in milliseconds. */
export type Interval = { readonly from: number; readonly to: number };

/**
 * Something in the span is gone, and nothing says what: when all that is left has been fetched and answered for, to the last
 * page, ours that was not told again goes with it.
 */
export type ReconcileWindow = Interval & {
  readonly of: 'sleep' | 'workouts' | readonly MetricId[];
  /** It is the newest part of a span that is too much for once: after it the rest, back to there. */
  readonly backTo?: number;
};

export type SyncAction =
  /** A window of a resource, page by page. `walksTo`: then the window before it, and so on back to there. */
  | {
      readonly kind: 'window';
      readonly resource: string;
      readonly window: Interval;
      readonly backfillUntil: number | null;
      readonly cursor: string | null;
      readonly reconciles: ReconcileWindow | null;
    }
  | { readonly kind: 'one'; readonly resource: string; readonly id: string }
  /** What a notice says to ask. */
  | { readonly kind: 'request'; readonly resource: string; readonly request: ProviderRequest }
  /** JSON, packed. */
  | { readonly kind: 'pushed'; readonly resource: string; readonly packed: Buffer }
  | { readonly kind: 'deleted'; readonly resource: string; readonly id: string }
  /** Asked for now, and pushed later. */
  | { readonly kind: 'history'; readonly resource: string; readonly window: Interval; readonly backfillUntil: number }
  /** What was asked for is on its way. `askedAt`: last. */
  | { readonly kind: 'arrival'; readonly requestedAt: number; readonly backfillUntil: number }
  /** Whether the provider still takes the grant. */
  | { readonly kind: 'check' }
  | { readonly kind: 'subscribe' };

export type NewSyncTask = {
  readonly action: SyncAction;
  readonly urgency: Urgency;
  /** Another that waits and asks for the same is this one. Null: each is its own. */
  readonly dedupeKey: string | null;
};

export type SyncTask = NewSyncTask & {
  readonly id: string;
  readonly userId: UserId;
  readonly deviceId: DeviceId;
  /** Grows with every page: tells whether it is still the errand that was begun. */
  readonly step: number;
  readonly attempts: number;
  readonly createdAt: Date;
};

/** These ask nothing of the provider. */
export const KINDS_WITHOUT_PROGRESS: readonly SyncAction['kind'][] = ['pushed', 'deleted', 'arrival'];

export type DeviceKey = { readonly userId: UserId; readonly deviceId: DeviceId };

/** A connected device, as the engine sees it. */
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
