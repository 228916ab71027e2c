export { EVENT_TYPES, type EventType, type NewEvent } from './event.ts';
export { recordEvent, removeEvents } from './store.ts';
