// Nights with their stages, and the naps of the day. Tentative at first; some hours later final, with the same id.

import type { SleepSession, SleepStage } from '../../domain/records/records.ts';
import { createDraw } from '../../domain/sandbox/index.ts';
import type { LocalDate } from '../../domain/time/calendar.ts';
import { addDays } from '../../domain/time/calendar.ts';
import { HOUR_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { isNight } from '../record-edits.ts';
import { offsetMinutesAt } from '../write-time.ts';
import { byOffset, makeSummary, type Summary, sumOf, type TimedValue, timesOf, toSeconds } from './summary.ts';

const FINAL_AFTER_MS = 2 * HOUR_MS;
const LEVELS = ['deep', 'light', 'rem', 'awake'] as const;
const QUALIFIERS = ['EXCELLENT', 'GOOD', 'FAIR', 'POOR'] as const;

export function listSleeps(view: AccountView, day: AccountDay): Summary[] {
  return day.sleeps.filter(isNight).map((night) => writeSleep(view, day, night));
}

function writeSleep(view: AccountView, day: AccountDay, night: SleepSession): Summary {
  const isFinal = view.nowMs >= night.end + FINAL_AFTER_MS;
  const awake = secondsIn(night, 'awake');
  const times = timesOf(view, night.start, night.end);
  const naps = listNaps(view, day);
  return makeSummary(view, 'sleep', night.start, () => ({
    calendarDate: day.date,
    ...times,
    durationInSeconds: times.durationInSeconds - awake,
    unmeasurableSleepInSeconds: 0,
    deepSleepDurationInSeconds: secondsIn(night, 'deep'),
    lightSleepDurationInSeconds: secondsIn(night, 'light'),
    remSleepInSeconds: secondsIn(night, 'rem'),
    awakeDurationInSeconds: awake,
    sleepLevelsMap: Object.fromEntries(LEVELS.map((level) => [level, listPeriods(night, level)])),
    validation: isFinal ? 'ENHANCED_FINAL' : 'ENHANCED_TENTATIVE',
    timeOffsetSleepSpo2: byOffset(night.start, pointsOfNight(view, day.date, night, 'blood_oxygen')),
    timeOffsetSleepRespiration: byOffset(night.start, pointsOfNight(view, day.date, night, 'respiratory_rate')),
    ...drawScores(view, day.date),
    ...(naps.length > 0 && { naps }),
  }));
}

function pointsOfNight(view: AccountView, date: LocalDate, { start, end }: SleepSession, metric: string): TimedValue[] {
  return [addDays(date, -1), date]
    .flatMap((one) => view.day(one)?.series(metric) ?? [])
    .map(({ startMs: ms, value }) => ({ ms, value }))
    .filter(({ ms }) => ms >= start && ms < end);
}

function secondsIn({ stages }: SleepSession, wanted: SleepStage): number {
  const within = (stages ?? []).filter(({ stage }) => stage === wanted);
  return sumOf(within, ({ start, end }) => toSeconds(end) - toSeconds(start));
}

function listPeriods({ stages }: SleepSession, wanted: SleepStage) {
  return (stages ?? [])
    .filter(({ stage }) => stage === wanted)
    .map(({ start, end }) => ({ startTimeInSeconds: toSeconds(start), endTimeInSeconds: toSeconds(end) }));
}

function listNaps({ account }: AccountView, { lived, untilMs }: AccountDay) {
  return lived.sleeps
    .filter(({ kind, end }) => kind === 'nap' && end <= untilMs)
    .map(({ start, end }) => ({
      napDurationInSeconds: toSeconds(end) - toSeconds(start),
      napStartTimeInSeconds: toSeconds(start),
      napOffsetInSeconds: offsetMinutesAt(account.zone, start) * 60,
      napValidation: 'AUTO',
    }));
}

/** Garmin's scores, near the usual values. */
function drawScores({ account }: AccountView, date: LocalDate) {
  const draw = createDraw(account.seed, 'sleep scores', date);
  const value = Math.round(draw.between(58, 97));
  const qualifierKey = QUALIFIERS[value >= 90 ? 0 : value >= 80 ? 1 : value >= 60 ? 2 : 3];
  const parts = [
    'totalDuration',
    'stress',
    'awakeCount',
    'remPercentage',
    'restlessness',
    'lightPercentage',
    'deepPercentage',
  ];
  return {
    overallSleepScore: { value, qualifierKey },
    sleepScores: Object.fromEntries(parts.map((part) => [part, { qualifierKey: draw.pick(QUALIFIERS) }])),
  };
}
