// Apart from the descriptions, because the address of a page is checked before the page is loaded.
import type { Replies } from '../../api/types.gen.ts';

export type EventType = Replies['listLatestEvents']['data'][number]['type'];

export const EVENT_WORDS: Readonly<Record<EventType, string>> = {
  'data.updated': 'New data',
  'score.updated': 'Scores changed',
  'device.connected': 'Device connected',
  'device.disconnected': 'Device disconnected',
  'device.failed': 'Connection failed',
  'device.backfilled': 'History loaded',
  'subject.synced': 'Data recomputed',
  'user.deleted': 'User deleted',
};

/** Within a sentence. */
export function eventWords(type: EventType): string {
  return EVENT_WORDS[type].toLowerCase();
}

export const EVENT_TYPES = Object.keys(EVENT_WORDS) as EventType[];
