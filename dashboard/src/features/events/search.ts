// What the address of the page says. Pure.

import { EVENT_TYPES, type EventType } from '../../shared/event/event-types.ts';
import { readTexts } from '../../shared/routing/read-texts.ts';

export type EventsSearch = {
  readonly type?: EventType;
  /** The id of a user. */
  readonly user?: string;
  /** Text that finds users. */
  readonly q?: string;
  /** The id of the open event. */
  readonly event?: string;
};

export function readSearch(search: Record<string, unknown>): EventsSearch {
  const type = EVENT_TYPES.find((one) => one === search.type);
  return {
    ...(type && { type }),
    ...readTexts(search, ['user', 'q', 'event']),
  };
}
