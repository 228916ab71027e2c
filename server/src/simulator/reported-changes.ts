// What a provider tells of by itself.
import type { LocalDate } from '../domain/time/calendar.ts';

export type Webhookd = {
  readonly kind: string;
  readonly id: string;
  readonly date: LocalDate;
  /** Another text when it says something else. */
  readonly version: string;
};

export type Change = { readonly type: 'created' | 'updated' | 'deleted'; readonly noticed: Webhookd };
