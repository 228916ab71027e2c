// A long flight: a day in a seat, then days in the time zone of the destination. The profile's zone does not change, as
// with a real phone.

import type { EpochMs } from '../records/records.ts';
import { addDays, type LocalDate } from '../time/calendar.ts';
import { createZone, type Zone } from '../time/day.ts';
import { HOUR_MS } from '../time/durations.ts';
import { type DayStory, ORDINARY_DAY } from './day-story.ts';
import { DESTINATIONS } from './destinations.ts';
import { createDraw } from './draw.ts';
import { type LivedDay, liveDay, planNights } from './lived-day.ts';
import { sleepBriefly } from './night.ts';
import type { Person } from './person.ts';

/** Enough hours ahead of home to affect sleep. */
const WANTED_AHEAD_HOURS = 8;
const EARLIEST_LANDING_MS = 15 * HOUR_MS;
const LANDING_HOURS = { from: 8, to: 20 } as const;
const PLANE_SLEEP = { beforeLandingMs: 6 * HOUR_MS, minutes: 205 } as const;
const FLYING: DayStory = { ...ORDINARY_DAY, isFlying: true };

type Journey = {
  readonly destination: string;
  /** All days from the morning of the flight on, some of them partial. */
  readonly days: readonly LivedDay[];
};

/** Departs on that day and stays away until the end. */
export function liveJourney(person: Person, home: Zone, date: LocalDate, untilMs: number): Journey {
  const { start: fromMs } = home.dayOf(date);
  const away = createZone(chooseDestination(home, fromMs));
  const landsAt = findLanding(away, fromMs + EARLIEST_LANDING_MS);
  const days = [...flyOut(person, home, fromMs, landsAt), ...stay(person, away, landsAt, untilMs)];
  return { destination: away.name, days };
}

function flyOut(person: Person, home: Zone, fromMs: number, landsAt: EpochMs): LivedDay[] {
  const planeStart = (landsAt - PLANE_SLEEP.beforeLandingMs) as EpochMs;
  const nap = sleepBriefly(createDraw(person.seed, 'plane', landsAt), planeStart, PLANE_SLEEP.minutes);
  return listParts(home, fromMs, landsAt).map(({ date, window }, index) => {
    const nights = index === 0 ? planNights({ person, date, zone: home, storyOf: () => ORDINARY_DAY }).slice(0, 1) : [];
    return liveDay({ person, date, zone: home, storyOf: () => FLYING, window, sleeps: [...nights, nap] });
  });
}

function stay(person: Person, away: Zone, landsAt: EpochMs, toMs: number): LivedDay[] {
  const storyOf = () => ORDINARY_DAY;
  return listParts(away, landsAt, toMs).map(({ date, window }) => {
    const sleeps = planNights({ person, date, zone: away, storyOf }).filter(({ start }) => start >= landsAt);
    return liveDay({ person, date, zone: away, position: away.name, storyOf, window, sleeps });
  });
}

function listParts(zone: Zone, fromMs: number, toMs: number) {
  const parts: { date: LocalDate; window: { fromMs: number; toMs: number } }[] = [];
  for (let day = zone.dayAt(fromMs); day.start < toMs; day = zone.dayOf(addDays(day.date, 1)))
    parts.push({ date: day.date, window: { fromMs: Math.max(fromMs, day.start), toMs: Math.min(toMs, day.end) } });
  return parts;
}

function chooseDestination(home: Zone, atMs: number): string {
  const apart = (name: string) => {
    const ahead = (hoursOf(createZone(name), atMs) - hoursOf(home, atMs) + 24) % 24;
    return Math.abs(ahead - WANTED_AHEAD_HOURS);
  };
  return DESTINATIONS.toSorted((a, b) => apart(a) - apart(b))[0] ?? DESTINATIONS[0];
}

/** The local time in hours. */
function hoursOf(zone: Zone, atMs: number): number {
  const { date } = zone.dayAt(atMs);
  return zone.wallMinutes(atMs, date) / 60;
}

/** On the hour, during the day. */
function findLanding(away: Zone, notBeforeMs: number): EpochMs {
  for (let atMs = Math.ceil(notBeforeMs / HOUR_MS) * HOUR_MS; ; atMs += HOUR_MS) {
    const hours = hoursOf(away, atMs);
    if (hours >= LANDING_HOURS.from && hours < LANDING_HOURS.to) return atMs as EpochMs;
  }
}
