// The expected API results for a simulated user, derived from the simulated life.

import assert from 'node:assert/strict';
import type { MetricId } from '../../src/domain/metrics/index.ts';
import type { CloudProviderId } from '../../src/domain/provider-ids.ts';
import {
  isDuring,
  type LivedDay,
  listWatchGaps,
  momentAt,
  recordDays,
  type SandboxDevice,
  seeWorkoutsWithWatch,
} from '../../src/domain/sandbox/index.ts';
import { addDays, type LocalDate } from '../../src/domain/time/calendar.ts';
import { MINUTE_MS } from '../../src/domain/time/durations.ts';
import { livedOn, seenOn, simulatedZone } from './lived-days.ts';

/** WHOOP's band measures what a ring measures. */
const RINGS: readonly CloudProviderId[] = ['oura', 'whoop', 'ultrahuman'];

function deviceOf(provider: CloudProviderId): SandboxDevice {
  return RINGS.includes(provider) ? 'ring' : 'watch';
}

/** For a finished day. Oura's day begins at four and has no gaps; Polar counts only while the watch was worn. */
export function stepsSeenBy(provider: CloudProviderId, account: string, date: LocalDate): number {
  if (provider === 'oura') {
    const next = addDays(date, 1);
    const [from, to] = [momentAt(simulatedZone, date, 240), momentAt(simulatedZone, next, 240)];
    const days = [livedOn(account, date), livedOn(account, next)];
    return sum(days.map((day) => walked(day, (ms) => ms >= from && ms < to)));
  }
  const lived = livedOn(account, date);
  const gaps = listWatchGaps(lived);
  if (provider === 'ultrahuman') return walked(lived, () => true);
  if (provider === 'polar') return walked(lived, (ms) => !isDuring(gaps, ms));
  return sum(recordDays('watch', [lived]).samples.get('steps' as MetricId)?.values ?? assert.fail('no steps'));
}

function walked({ fromMs, steps }: LivedDay, isCounted: (ms: number) => boolean): number {
  return sum(Array.from(steps, (count, minute) => (isCounted(fromMs + minute * MINUTE_MS) ? count : 0)));
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0);
}

/** Nights that end on the date, as the API writes them. */
export function nightsSeenBy(provider: CloudProviderId, account: string, date: LocalDate) {
  const nights = seenOn(deviceOf(provider), account, date).sleep.filter(({ key }) => key.startsWith('night'));
  return nights.map(({ start, end, stages }) => {
    const minutes = (...wanted: readonly string[]) =>
      (stages ?? []).reduce((sum, one) => sum + (wanted.includes(one.stage) ? one.end - one.start : 0), 0) / MINUTE_MS;
    return {
      start: writeInstant(start),
      end: writeInstant(end),
      asleepMinutes: minutes('light', 'deep', 'rem'),
      deepMinutes: minutes('deep'),
    };
  });
}

/** False if it charged, or its battery died. */
export function isWatchWornAllNight(account: string, date: LocalDate): boolean {
  const lived = livedOn(account, date);
  const night = lived.sleeps.find(({ kind }) => kind === 'night') ?? assert.fail('no night');
  return !isDuring(listWatchGaps(lived), night.end);
}

const OUTDOORS: readonly string[] = ['running', 'cycling', 'hiking'];

/** Finished workouts, as the API writes them. */
export function workoutsSeenBy(account: string, date: LocalDate, now: Date) {
  const workouts = seeWorkoutsWithWatch(livedOn(account, date)).filter(({ end }) => end <= now.getTime());
  return workouts.map(({ start, end, sportType }) => ({
    start: writeInstant(start),
    end: writeInstant(end),
    isOutdoors: OUTDOORS.includes(sportType),
  }));
}

function writeInstant(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
