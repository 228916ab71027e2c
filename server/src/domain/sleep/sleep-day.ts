// The daily sleep metrics of one date from its sleeps: totals with naps, timing and vitals of the main sleep. A metric
// that no device reported is absent, never 0.

import type { MetricId } from '../metrics/metric.ts';
import type { HrvKind, SleepSession } from '../records/records.ts';
import type { SessionCandidate } from '../sessions/sessions.ts';
import type { LocalDate } from '../time/calendar.ts';
import type { Zone } from '../time/day.ts';
import type { DaySleep } from './fill-sleep.ts';
import { findMainSleep } from './main-sleep.ts';
import { listSleepParts, napMinutes, type ReportedSleep, type SleepPart } from './sleep-parts.ts';
import { addBoth, efficiency, type SleepTotals, totalSleep } from './sleep-totals.ts';
import { averageVitals } from './sleep-vitals.ts';

export type SleepDay = {
  readonly values: ReadonlyMap<MetricId, number>;
  /** The records that a value comes from, those of the main sleep first. */
  parts(metric: MetricId): SleepPart[];
  /** The kind of `sleep_heart_rate_variability`; the two are never mixed (gap G-91). */
  readonly hrvKind: HrvKind | null;
};

type Reported = ReportedSleep;

const NIGHT_HRV = 'sleep_heart_rate_variability';

/**
 * Pass the canonical sleeps of a date, filled in, for the canonical value, or one device's sleeps for that device's
 * candidate. `mainSleep` are those of the night; all others are naps.
 */
export function summarizeSleepDay(
  date: LocalDate,
  sleepsOfDate: readonly DaySleep[],
  zone: Zone,
  mainSleep: readonly SessionCandidate<SleepSession>[] = findMainSleep(sleepsOfDate, zone),
): SleepDay {
  const reported = sleepsOfDate
    .toSorted((a, b) => a.session.start - b.session.start)
    .map(({ device, session, givers, filled }) => ({
      device,
      session,
      totals: { ...totalSleep(session), ...filled },
      ...(givers && { givers }),
    }));
  const mainSessions = new Set(mainSleep.map(({ session }) => session));
  const main = reported.filter(({ session }) => mainSessions.has(session));
  const naps = reported.filter(({ session }) => !mainSessions.has(session));
  const { vitals, hrvKind } = averageVitals(main);
  const all = { ...sumTotals(main, naps), nap_duration: sumNaps(naps), ...describeMain(date, main, zone), ...vitals };
  const entries = Object.entries(all).filter((entry): entry is [string, number] => entry[1] !== null);
  const values = new Map(entries.map(([id, value]) => [id as MetricId, value]));
  return {
    values,
    parts(metric) {
      if (!values.has(metric)) return []; // naps alone give no value of the day
      const ofKind = metric === NIGHT_HRV ? main.filter(({ session }) => session.hrvKind === hrvKind) : main;
      return listSleepParts(metric, { main: ofKind, naps, clock: (epochMs) => zone.wallMinutes(epochMs, date) });
    },
    hrvKind,
  };
}

/** The kind of the main sleep's heart rate variability; null if it has none. */
export function findHrvKind(sleepsOfDate: readonly DaySleep[], zone: Zone): HrvKind | null {
  return averageVitals(findMainSleep(sleepsOfDate, zone)).hrvKind;
}

/** Naps add to a known night. If the night has no value, neither has the day, because naps are not the night. */
function sumTotals(main: readonly Reported[], naps: readonly Reported[]) {
  const sum = (read: (totals: SleepTotals) => number | null) => {
    const night = sumKnown(main, ({ totals }) => read(totals));
    return night === null ? null : night + (sumKnown(naps, ({ totals }) => read(totals)) ?? 0);
  };
  const deep = sum((totals) => totals.deep);
  const rem = sum((totals) => totals.rem);
  return {
    asleep: sum((totals) => totals.asleep),
    time_in_bed: sum((totals) => totals.inBed),
    time_awake: sum((totals) => totals.awake),
    light_sleep: sum((totals) => totals.light),
    deep_sleep: deep,
    REM: rem,
    restorative_sleep: addBoth(deep, rem),
  };
}

function sumNaps(naps: readonly Reported[]): number | null {
  return sumKnown(naps, napMinutes);
}

function describeMain(date: LocalDate, main: readonly Reported[], zone: Zone) {
  const [first, last] = [main[0], main.at(-1)];
  if (first === undefined || last === undefined) return {};
  // The same sessions in numerator and denominator, or the ratio could exceed that of every session.
  const whole = main.filter(({ totals }) => totals.asleep !== null && totals.inBed !== null);
  const start = zone.wallMinutes(first.session.start, date);
  const end = zone.wallMinutes(last.session.end, date);
  return {
    sleep_efficiency: efficiency(
      sumKnown(whole, ({ totals }) => totals.asleep),
      sumKnown(whole, ({ totals }) => totals.inBed),
    ),
    sleep_latency: first.totals.latency,
    wake_after_sleep_onset: sumKnown(main, ({ totals }) => totals.wakeAfterOnset),
    awakenings: sumKnown(main, ({ totals }) => totals.awakenings),
    sleep_start: start,
    sleep_end: end,
    sleep_midpoint: (start + end) / 2,
  };
}

function sumKnown(reported: readonly Reported[], read: (one: Reported) => number | null): number | null {
  const known = reported.map(read).filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
