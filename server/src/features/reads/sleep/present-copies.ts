// Lists the records of other devices of the same sleep. Pure.
import { findOriginals } from '../../../domain/sessions/session-originals.ts';
import type { StoredSleep } from '../../store/session-store/index.ts';
import type { FilledSleep } from './describe-sleeps.ts';

/** By start. `presentTimes` writes what differs between the forms. */
export function presentCopies<Times>(
  { recorded, source, duplicates }: FilledSleep,
  presentTimes: (session: StoredSleep['session']) => Times,
) {
  const toRecord = (one: Pick<FilledSleep, 'session' | 'source'>) => ({ session: one.session, device: one.source });
  const records = [{ session: recorded, source }, ...duplicates].map(toRecord);
  const originals = findOriginals(records);
  return duplicates.map((copy, index) => {
    const original = originals.get(records[index + 1] as (typeof records)[number]);
    return {
      id: copy.id,
      source: copy.source.provider,
      device_id: copy.source.id,
      re_export_of: original?.record.device.provider ?? null,
      ...presentTimes(copy.session),
    };
  });
}
