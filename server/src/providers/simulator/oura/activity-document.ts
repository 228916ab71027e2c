// A day of movement, from four in the morning to four in the morning; that of today grows.
import { addDays } from '../../../domain/calendar.ts';
import { isWithin, listRingGaps, momentAt } from '../../../domain/sandbox/index.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { writeLocalTime } from '../write-time.ts';
import { documentId, giveOpinions, type OuraDocument } from './document.ts';

const MINUTE_MS = 60_000;
const DAY_BEGINS_MINUTES = 4 * 60;
const MINUTES_A_DAY = 1_440;
const MET_IN_BED = 0.9;
const MET_AWAKE = 1.2;
const CLASS_MINUTES = 5;

type Minute = { readonly steps: number; readonly kcal: number; readonly met: number; readonly kind: Kind };
/** As in `class_5_min`. */
type Kind = 0 | 1 | 2 | 3 | 4 | 5;

export function listActivity(view: AccountView, day: AccountDay): OuraDocument[] {
  const { person, zone } = view.account;
  const minutes = listMinutes(view, day);
  if (minutes.length === 0) return [];
  const total = (read: (minute: Minute) => number) => minutes.reduce((sum, minute) => sum + read(minute), 0);
  const ofKind = (...kinds: readonly Kind[]) => minutes.filter(({ kind }) => kinds.includes(kind));
  const seconds = (...kinds: readonly Kind[]) => ofKind(...kinds).length * 60;
  const metMinutes = (kind: Kind) => Math.round(ofKind(kind).reduce((sum, { met }) => sum + met, 0));
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
      contributors: giveOpinions(view, day.date, [
        'meet_daily_targets',
        'move_every_hour',
        'recovery_time',
        'stay_active',
        'training_frequency',
        'training_volume',
      ]),
      steps,
      active_calories: Math.round(active),
      total_calories: Math.round(active + (person.basalKcal * minutes.length) / MINUTES_A_DAY),
      target_calories: Math.round(person.stepsGoal * 0.045),
      equivalent_walking_distance: metres,
      target_meters: targetMetres,
      meters_to_target: targetMetres - metres,
      high_activity_time: seconds(5),
      medium_activity_time: seconds(4),
      low_activity_time: seconds(3),
      sedentary_time: seconds(2),
      resting_time: seconds(1),
      non_wear_time: seconds(0),
      high_activity_met_minutes: metMinutes(5),
      medium_activity_met_minutes: metMinutes(4),
      low_activity_met_minutes: metMinutes(3),
      sedentary_met_minutes: metMinutes(2),
      average_met_minutes: Math.round((total(({ met }) => met) / minutes.length) * 100) / 100,
      inactivity_alerts: 1,
      class_5_min: writeClasses(minutes),
      met: { interval: 60, items: minutes.map(({ met }) => met), timestamp: begin },
    },
  ];
}

/** Those that the ring has told of. */
function listMinutes(view: AccountView, { date }: AccountDay): Minute[] {
  const { zone } = view.account;
  const next = addDays(date, 1);
  const from = momentAt(zone, date, DAY_BEGINS_MINUTES);
  const to = Math.min(momentAt(zone, next, DAY_BEGINS_MINUTES), view.syncedUntilMs);
  return [view.day(date), view.day(next)].flatMap((day) => (day === null ? [] : readMinutes(day, from, to)));
}

function readMinutes({ lived }: AccountDay, from: number, to: number): Minute[] {
  const gaps = listRingGaps(lived);
  const minutes: Minute[] = [];
  for (let ms = Math.max(from, lived.fromMs); ms < Math.min(to, lived.toMs); ms += MINUTE_MS) {
    const index = Math.round((ms - lived.fromMs) / MINUTE_MS);
    const [steps, kcal] = [lived.steps[index] ?? 0, lived.activeKcal[index] ?? 0];
    const isInBed = isWithin(lived.beds, ms);
    const met = Math.round(((isInBed ? MET_IN_BED : MET_AWAKE) + (kcal * 60) / lived.person.weightKg) * 10) / 10;
    minutes.push({ steps, kcal, met, kind: isWithin(gaps, ms) ? 0 : isInBed ? 1 : classOf(met) });
  }
  return minutes;
}

function classOf(met: number): Kind {
  if (met < 1.5) return 2;
  if (met < 3) return 3;
  return met < 6 ? 4 : 5;
}

function writeClasses(minutes: readonly Minute[]): string {
  let classes = '';
  for (let first = 0; first < minutes.length; first += CLASS_MINUTES)
    classes += Math.max(...minutes.slice(first, first + CLASS_MINUTES).map(({ kind }) => kind));
  return classes;
}
