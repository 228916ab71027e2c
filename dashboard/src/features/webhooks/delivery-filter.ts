// The filters of deliveries, as they stand in the address.
import { EVENT_TYPES, type EventType } from '../../shared/event/event-types.ts';
import { readTexts } from '../../shared/routing/read-texts.ts';

export const STATUSES = ['retrying', 'pending', 'failed', 'succeeded'] as const;
type StatusFilter = (typeof STATUSES)[number];

export type DeliveryFilter = {
  readonly status?: StatusFilter;
  readonly type?: EventType;
  /** The id or the reference of a user. */
  readonly user?: string;
  /** Calendar date: only deliveries since then. */
  readonly from?: string;
};

const DATE = /^\d{4}-\d{2}-\d{2}$/;

export function readFilter(search: Record<string, unknown>): DeliveryFilter {
  const status = STATUSES.find((one) => one === search.status);
  const type = EVENT_TYPES.find((one) => one === search.type);
  const { from } = search;
  return {
    ...(status && { status }),
    ...(type && { type }),
    ...readTexts(search, ['user']),
    ...(typeof from === 'string' && DATE.test(from) && { from }),
  };
}

/** Of the page of a webhook. `delivery`: the one that is open; `attempt`: its number, from 1. */
export type WebhookSearch = DeliveryFilter & { readonly delivery?: string; readonly attempt?: number };

export function readSearch(search: Record<string, unknown>): WebhookSearch {
  const { attempt } = search;
  return {
    ...readFilter(search),
    ...readTexts(search, ['delivery']),
    ...(typeof attempt === 'number' && attempt >= 1 && { attempt }),
  };
}

/** The parameters of the call. The day begins in the zone of the reader. */
export function filterParameters({ status, type, user, from }: DeliveryFilter) {
  return {
    status,
    event_type: type,
    user,
    from: from === undefined ? undefined : new Date(`${from}T00:00:00`).toISOString(),
  };
}
