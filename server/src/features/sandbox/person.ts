// The person behind a user of the sandbox, and days of it.
import { addDays, type LocalDate } from '../../domain/calendar.ts';
import type { Zone } from '../../domain/day.ts';
import {
  type DayStory,
  drawPerson,
  type LivedDay,
  liveDay,
  ORDINARY_DAY,
  type Person,
} from '../../domain/sandbox/index.ts';
import { ageYearsOn } from '../../domain/workouts/index.ts';
import type { Profile, UserHandle } from '../subjects/index.ts';

export type TellStory = (date: LocalDate) => DayStory;

/** The same person each time, as long as the profile says the same. */
export function drawUser({ userId }: UserHandle, profile: Profile, today: LocalDate): Person {
  return drawPerson(userId, {
    sex: profile.sex ?? null,
    ageYears: profile.birth_date === undefined ? null : ageYearsOn(today, profile.birth_date),
    heightCm: profile.height_cm ?? null,
    weightKg: profile.weight_kg ?? null,
    maxBpm: profile.max_heart_rate ?? null,
  });
}

export function liveDays(
  person: Person,
  zone: Zone,
  from: LocalDate,
  to: LocalDate,
  storyOf: TellStory = () => ORDINARY_DAY,
): LivedDay[] {
  const days: LivedDay[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) days.push(liveDay({ person, date, zone, storyOf }));
  return days;
}
