import type { LatestEvent } from '../../shared/event/describe-event.ts';

const CHANGES_OF_DATA: readonly string[] = ['data.updated', 'subject.synced'];

/** Whether an event changes the page: data of this user and day. Pure. */
export function concernsDay(
  event: Pick<LatestEvent, 'type' | 'user_id' | 'from_date' | 'to_date'>,
  { userId, date }: { readonly userId: string; readonly date: string },
): boolean {
  if (event.user_id !== userId || !CHANGES_OF_DATA.includes(event.type)) return false;
  if (event.from_date === null || event.to_date === null) return true;
  return event.from_date <= date && date <= event.to_date;
}
