// Daily activity from 4:00 to 4:00; today's grows.

import { listRingGaps, momentAt } from '../../domain/sandbox/index.ts';
import { addDays } from '../../domain/time/calendar.ts';
import { DAY_MINUTES } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { type LivedMinute, listLivedMinutes, type MinuteKind } from '../lived-minutes.ts';
import { writeLocalTime } from '../write-time.ts';
import { documentId, drawScores, type OuraDocument } from './document.ts';

const DAY_BEGINS_MINUTES = 4 * 60;
const CLASS_MINUTES = 5;

/** The digits of `class_5_min`. */
const CLASSES: Readonly<Record<MinuteKind, number>> = {
  unworn: 0,
  in_bed: 1,
  sedentary: 2,
  light: 3,
  moderate: 4,
  vigorous: 5,
};

export function listActivity(view: AccountView, day: AccountDay): OuraDocument[] {
  const { person, zone } = view.account;
  const minutes = listMinutes(view, day);
  if (minutes.length === 0) return [];
  const total = (read: (minute: LivedMinute) => number) => minutes.reduce((sum, minute) => sum + read(minute), 0);
  const ofKind = (...kinds: readonly MinuteKind[]) => minutes.filter(({ kind }) => kinds.includes(kind));
  const seconds = (...kinds: readonly MinuteKind[]) => ofKind(...kinds).length * 60;
  const metMinutes = (kind: MinuteKind) => Math.round(ofKind(kind).reduce((sum, { met }) => sum + met, 0));
  const steps = total((minute) => minute.steps);
  const active = total((minute) => minute.kcal);
  const begin = writeLocalTime(zone, momentAt(zone, day.date, DAY_BEGINS_MINUTES));
  const metres = Math.round((active / (0.75 * person.weightKg)) * 1_000);
  const targetMetres = Math.round(person.stepsGoal * 0.8);
  return [
    {
      id: documentId(view, 'daily_activity', day.date),
      day: day.date,
      timestamp: begin,
      score: Math.min(100, Math.round(55 + (40 * steps) / person.stepsGoal)),
      contributors: drawScores(view, day.date, [
        'meet_daily_targets',
        'move_every_hour',
        'recovery_time',
        'stay_active',
        'training_frequency',
        'training_volume',
      ]),
      steps,
      active_calories: Math.round(active),
      total_calories: Math.round(active + (person.basalKcal * minutes.length) / DAY_MINUTES),
      target_calories: Math.round(person.stepsGoal * 0.045),
      equivalent_walking_distance: metres,
      target_meters: targetMetres,
      meters_to_target: targetMetres - metres,
      high_activity_time: seconds('vigorous'),
      medium_activity_time: seconds('moderate'),
      low_activity_time: seconds('light'),
      sedentary_time: seconds('sedentary'),
      resting_time: seconds('in_bed'),
      non_wear_time: seconds('unworn'),
      high_activity_met_minutes: metMinutes('vigorous'),
      medium_activity_met_minutes: metMinutes('moderate'),
      low_activity_met_minutes: metMinutes('light'),
      sedentary_met_minutes: metMinutes('sedentary'),
      average_met_minutes: Math.round((total(({ met }) => met) / minutes.length) * 100) / 100,
      inactivity_alerts: 1,
      class_5_min: writeClasses(minutes),
      met: { interval: 60, items: minutes.map(({ met }) => met), timestamp: begin },
    },
  ];
}

/** The minutes that the ring has synced. */
function listMinutes(view: AccountView, { date }: AccountDay): LivedMinute[] {
  const { zone } = view.account;
  const next = addDays(date, 1);
  const from = momentAt(zone, date, DAY_BEGINS_MINUTES);
  const to = Math.min(momentAt(zone, next, DAY_BEGINS_MINUTES), view.syncedUntilMs);
  return [view.day(date), view.day(next)].flatMap((day) =>
    day === null ? [] : listLivedMinutes(day.lived, listRingGaps(day.lived), from, to),
  );
}

function writeClasses(minutes: readonly LivedMinute[]): string {
  let classes = '';
  for (let first = 0; first < minutes.length; first += CLASS_MINUTES)
    classes += Math.max(...minutes.slice(first, first + CLASS_MINUTES).map(({ kind }) => CLASSES[kind]));
  return classes;
}
