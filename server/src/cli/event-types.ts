// Event types as they are typed on a command line.
import { EVENT_TYPES, type EventType } from '../features/notify/events/event.ts';
import { CommandError } from './terminal.ts';

export function parseEventType(text: string): EventType {
  const type = EVENT_TYPES.find((known) => known === text);
  if (type === undefined)
    throw new CommandError(`There is no event type ${JSON.stringify(text)}. There are: ${EVENT_TYPES.join(', ')}.`);
  return type;
}

/** "a,b"; null: all of them. */
export function parseEventTypes(text: string | undefined): ReadonlySet<string> | null {
  if (text === undefined || text === '*') return null;
  return new Set(splitList(text).map(parseEventType));
}

export function splitList(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}
