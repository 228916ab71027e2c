// Parses event types from the command line.
import { EVENT_TYPES, type EventType } from '../features/notify/events/event.ts';
import { splitList } from './split-list.ts';
import { CommandError } from './terminal.ts';

export function parseEventType(text: string): EventType {
  const type = EVENT_TYPES.find((known) => known === text);
  if (type === undefined)
    throw new CommandError(`Unknown event type ${JSON.stringify(text)}. Event types: ${EVENT_TYPES.join(', ')}.`);
  return type;
}

/** Parses "a,b". Null: all types. */
export function parseEventTypes(text: string | undefined): ReadonlySet<string> | null {
  if (text === undefined || text === '*') return null;
  return new Set(splitList(text).map(parseEventType));
}
