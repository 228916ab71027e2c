// WHOOP's cycles: each begins with a night and lasts until the next one begins. A night without the band also begins
// one, which has no sleep and no recovery.

import { isDuring, listRingGaps } from '../../domain/sandbox/index.ts';
import { addDays, type LocalDate } from '../../domain/time/calendar.ts';
import { DAY_MINUTES, MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { exactNumber } from '../exact-number.ts';
import { nameInteger } from '../names.ts';
import { isNight } from '../record-edits.ts';
import { offsetMinutesAt } from '../write-time.ts';
import { KJ_PER_KCAL, userIdOf, type WhoopRecord, writeInterval, writeUtc } from './record.ts';
import { findStrain } from './strain.ts';

/** For the night that ends on the date, and the day after it. */
export function cycleIdOf({ account }: AccountView, date: LocalDate): bigint {
  return nameInteger(63, 'whoop', account.seed, 'cycle', date);
}

export function listCycles(view: AccountView, day: AccountDay): WhoopRecord[] {
  const start = beginOf(view, day);
  if (start === null) return [];
  const id = cycleIdOf(view, day.date);
  const next = view.day(addDays(day.date, 1));
  const end = next === null ? null : beginOf(view, next);
  const body = {
    id: exactNumber(id),
    user_id: exactNumber(userIdOf(view)),
    created_at: writeUtc(start),
    updated_at: writeUtc(end ?? view.syncedUntilMs),
    ...writeInterval({ start, end, offsetMinutes: offsetMinutesAt(view.account.zone, start) }),
    score_state: 'SCORED',
    score: writeScore(view, day.date, start, end ?? view.syncedUntilMs),
  };
  return [{ id: String(id), startMs: start, body }];
}

/** Null: that night is not over yet, or not synced. */
function beginOf(view: AccountView, { sleeps, lived }: AccountDay): number | null {
  const seen = sleeps.find(isNight);
  if (seen !== undefined) return seen.start;
  const night = lived.sleeps.find(({ kind }) => kind === 'night');
  return night === undefined || night.end > view.syncedUntilMs ? null : night.start;
}

function writeScore(view: AccountView, date: LocalDate, from: number, to: number) {
  const { person } = view.account;
  const bpm: number[] = [];
  let kcal = 0;
  for (const day of view.days(addDays(date, -1), addDays(date, 1))) {
    const { fromMs, toMs, activeKcal, bpm: beats } = day.lived;
    const gaps = listRingGaps(day.lived);
    const first = Math.max(0, Math.ceil((from - fromMs) / MINUTE_MS));
    const last = Math.floor((Math.min(to, toMs) - fromMs) / MINUTE_MS);
    for (let minute = first; minute < last; minute++) {
      kcal += (activeKcal[minute] ?? 0) + person.basalKcal / DAY_MINUTES;
      if (!isDuring(gaps, fromMs + minute * MINUTE_MS)) bpm.push(beats[minute] ?? 0);
    }
  }
  return {
    strain: findStrain(person, bpm, 1),
    kilojoule: kcal * KJ_PER_KCAL,
    average_heart_rate: Math.round(bpm.reduce((sum, beats) => sum + beats, 0) / Math.max(1, bpm.length)),
    max_heart_rate: Math.round(bpm.reduce((most, beats) => Math.max(most, beats), 0)),
  };
}
