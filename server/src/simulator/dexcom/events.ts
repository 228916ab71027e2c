// Entries of the user: carbohydrates of each meal, and insulin for it. `value` is a text.
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountView } from '../account-view.ts';
import { listMeals } from './meals.ts';
import { type DexcomRecord, makeRecord } from './record.ts';

const GRAMS_PER_UNIT = 10;

/** [from, to), in order of time. */
export function listEvents(view: AccountView, from: number, to: number): DexcomRecord[] {
  const { zone } = view.account;
  return view
    .days(zone.dayAt(from).date, zone.dayAt(to).date)
    .flatMap((day) => listMeals(view, day).filter(({ ms }) => ms + MINUTE_MS < day.untilMs))
    .flatMap(({ ms, carbsGrams }) => [
      makeRecord(view, 'carbs', ms, write('carbs', null, String(carbsGrams), 'grams')),
      makeRecord(
        view,
        'insulin',
        ms + MINUTE_MS,
        write('insulin', 'fastActing', (carbsGrams / GRAMS_PER_UNIT).toFixed(2), 'units'),
      ),
    ])
    .filter(({ ms }) => ms >= from && ms < to);
}

function write(eventType: string, eventSubType: string | null, value: string, unit: string) {
  return { eventStatus: 'created', eventType, eventSubType, value, unit };
}
