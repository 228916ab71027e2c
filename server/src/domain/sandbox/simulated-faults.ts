// Faults of simulated providers, in the form in which clients set them.

import type { CloudProviderId } from '../provider-ids.ts';
import type { LocalDate } from '../time/calendar.ts';

export const FAULT_KINDS = [
  'revoked', // tokens are refused, refresh answers invalid_grant
  'refresh_race', // the next refresh rotates, and its answer is lost (500)
  'rate_limited', // the provider's 429
  'unavailable', // 503
  'slow', // answers after `delay_ms`
  'half_page', // the body is truncated
  'late_night', // the last night is missing until the fault is cleared
  'late_push', // webhooks, including their data, wait until the fault is cleared
  'duplicate_push', // every webhook is sent twice
  'repeated_backfill', // a backfill was requested before (409)
  'changed_record', // the last night or workout has different values
  'deleted_record', // the record is deleted
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export const FAULTY_REQUESTS = ['data', 'token'] as const;
export const FAULTY_RECORDS = ['sleep', 'workout'] as const;

export type Fault = {
  readonly kind: FaultKind;
  readonly provider: CloudProviderId;
  /** The seed of the account. Absent: all accounts. */
  readonly account?: string;
  /** Absent: until the fault is cleared. */
  readonly times?: number;
  /** The requests that `rate_limited`, `unavailable`, `slow` and `half_page` affect. Absent: data. */
  readonly on?: (typeof FAULTY_REQUESTS)[number];
  /** For `slow`. */
  readonly delay_ms?: number;
  /** For `changed_record` and `deleted_record`. Absent: sleep. */
  readonly record?: (typeof FAULTY_RECORDS)[number];
  /**
   * Selects the last such record on or before the date; the first missing night of `late_night`. Absent: the day on
   * which the fault was set.
   */
  readonly date?: LocalDate;
};

export type ActiveFault = Fault & { readonly id: number; readonly date: LocalDate };
