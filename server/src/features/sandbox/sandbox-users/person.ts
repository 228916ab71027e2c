// The simulated person of a sandbox user, and the generation of their days.

import {
  bedtimeAfter,
  type DayStory,
  drawPerson,
  type LivedDay,
  liveDay,
  ORDINARY_DAY,
  type Person,
} from '../../../domain/sandbox/index.ts';
import { addDays, type LocalDate } from '../../../domain/time/calendar.ts';
import { createZone, type Zone } from '../../../domain/time/day.ts';
import { ageYearsOn } from '../../../domain/workouts/index.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import { type Profile, readProfile, type UserHandle } from '../../tenancy/user-core/index.ts';

export type WriteStory = (date: LocalDate) => DayStory;

/** Deterministic: the same profile gives the same person. */
export function drawUser({ userId }: Pick<UserHandle, 'userId'>, profile: Profile, today: LocalDate): Person {
  return drawPerson(userId, describeProfile(profile, today));
}

function describeProfile(profile: Profile, today: LocalDate) {
  return {
    sex: profile.sex ?? null,
    ageYears: profile.birth_date === undefined ? null : ageYearsOn(today, profile.birth_date),
    heightCm: profile.height_cm ?? null,
    weightKg: profile.weight_kg ?? null,
    maxBpm: profile.max_heart_rate ?? null,
  };
}

/** What a simulated provider must know to show the same person. */
export async function readKnownPerson(db: Queryable, user: UserHandle, now: Date) {
  const zone = createZone(user.timezone);
  return { zone: zone.name, ...describeProfile(await readProfile(db, user), zone.dayAt(now.getTime()).date) };
}

type LivedDaysRequest = {
  readonly person: Person;
  readonly zone: Zone;
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly storyOf?: WriteStory;
  /** Data starts here, because the first day may already be written in part. */
  readonly fromMs?: number;
  readonly untilMs?: number;
};

export async function liveDays(interval: LivedDaysRequest): Promise<LivedDay[]> {
  const { person, zone, from, to, storyOf = isOrdinary, fromMs, untilMs } = interval;
  const yieldIfDue = createYielder();
  const days: LivedDay[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    await yieldIfDue();
    const { start, end } = zone.dayOf(date);
    const window = { fromMs: Math.max(start, fromMs ?? start), toMs: Math.min(end, untilMs ?? end) };
    if (window.fromMs < window.toMs) days.push(liveDay({ person, date, zone, storyOf, window }));
  }
  return days;
}

/** Until when data goes if `lastDay` is the last complete day, and when the next day is due. */
export function planNextDay(person: Person, zone: Zone, lastDay: LocalDate): { dataUntil: Date; dueAt: Date } {
  const bedtime = bedtimeAfter({ person, date: lastDay, zone, storyOf: isOrdinary });
  return { dataUntil: new Date(bedtime), dueAt: new Date(zone.dayOf(addDays(lastDay, 1)).end) };
}

const isOrdinary: WriteStory = () => ORDINARY_DAY;
