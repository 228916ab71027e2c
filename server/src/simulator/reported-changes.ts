// A record that webhooks can report, and a change of it.
import type { LocalDate } from '../domain/time/calendar.ts';

export type WebhookRecord = {
  readonly kind: string;
  readonly id: string;
  readonly date: LocalDate;
  /** Changes with the content. */
  readonly version: string;
};

export type Change = { readonly type: 'created' | 'updated' | 'deleted'; readonly record: WebhookRecord };
