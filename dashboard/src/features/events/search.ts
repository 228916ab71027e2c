// What the address of the page says. Pure.
import { EVENT_TYPES, type EventType } from '../../shared/event/event-types.ts';

export type EventsSearch = {
  readonly type?: EventType;
  /** The id of a user. */
  readonly user?: string;
  /** Text that finds users. */
  readonly q?: string;
  /** The id of the open event. */
  readonly event?: string;
};

export function readSearch({ type, user, q, event }: Record<string, unknown>): EventsSearch {
  const known = EVENT_TYPES.find((one) => one === type);
  const text = typeof q === 'number' ? String(q) : q; // the router reads 42 in an address as a number
  return {
    ...(known && { type: known }),
    ...(typeof user === 'string' && user !== '' && { user }),
    ...(typeof text === 'string' && text !== '' && { q: text }),
    ...(typeof event === 'string' && event !== '' && { event }),
  };
}
