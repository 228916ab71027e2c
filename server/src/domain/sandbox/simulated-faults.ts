// Accidents of simulated providers, as whoever asks for them writes them.

import type { CloudProviderId } from '../provider-ids.ts';
import type { LocalDate } from '../time/calendar.ts';

export const FAULT_KINDS = [
  'revoked', // tokens are refused, refresh answers invalid_grant
  'refresh_race', // the next refresh rotates, and its answer is lost (500)
  'rate_limited', // the provider's 429
  'unavailable', // 503
  'slow', // answers after `delay_ms`
  'half_page', // the body ends in the middle
  'late_night', // the last night is missing until this is taken back
  'late_push', // notices, with the data in them, wait until this is taken back
  'duplicate_push', // every notice is sent twice
  'repeated_backfill', // a backfill was asked for before (409)
  'changed_record', // the last night or workout says something else
  'deleted_record', // it is gone
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export const FAULTY_REQUESTS = ['data', 'token'] as const;
export const FAULTY_RECORDS = ['sleep', 'workout'] as const;

export type Fault = {
  readonly kind: FaultKind;
  readonly provider: CloudProviderId;
  /** Its seed. Absent: all. */
  readonly account?: string;
  /** Absent: until it is taken back. */
  readonly times?: number;
  /** Which requests `rate_limited`, `unavailable`, `slow` and `half_page` meet. Absent: data. */
  readonly on?: (typeof FAULTY_REQUESTS)[number];
  /** Of `slow`. */
  readonly delay_ms?: number;
  /** Of `changed_record` and `deleted_record`. Absent: sleep. */
  readonly record?: (typeof FAULTY_RECORDS)[number];
  /** The last such record on it or before; the first night of `late_night`. Absent: the day on which the fault was set. */
  readonly date?: LocalDate;
};

export type StandingFault = Fault & { readonly id: number; readonly date: LocalDate };
