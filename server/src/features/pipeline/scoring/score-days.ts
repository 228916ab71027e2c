// Computes the scores of queued days and of every later day that they can affect. Runs in one transaction with the user's lock, so that
// inputs and scores are always consistent.

import { deriveFromHistory, HISTORY_RULES, type MetricHistory } from '../../../domain/metrics/history-metrics.ts';
import type { MetricId } from '../../../domain/metrics/index.ts';
import { listDays } from '../../../domain/packed/month-sheets/index.ts';
import {
  ALGORITHM_VERSION,
  assembleInputs,
  CALIBRATION_DAYS,
  countCalibrationDays,
  DAY_SCORES,
  ENDED_DAYS_ONLY,
  LOOK_BACK_DAYS,
  SCORE_LOOK_BACK_DAYS,
  SCORE_TYPES,
  type ScoreInputs,
  type ScoreResult,
  type ScoreType,
  scoreDay,
} from '../../../domain/scores/index.ts';
import { addDays, type DateRange, dayNumberOf, type LocalDate } from '../../../domain/time/calendar.ts';
import { createZone } from '../../../domain/time/day.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import { ageYearsOn } from '../../../domain/workouts/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import { recordEvent } from '../../notify/events/index.ts';
import { readHeartRateRange } from '../../store/heart-rate-range/index.ts';
import { advanceRevision, readProfile, recordScoring, type UserHandle } from '../../tenancy/user-core/index.ts';
import { gatherInputs } from './gather-inputs.ts';
import { roundExplanation } from './packed-scores.ts';
import { DAY_SCORES_EVERY_MS, type QueueEntry } from './queue-entry.ts';
import { type DerivedDays, saveDerived } from './save-derived.ts';
import { openScoreBuffer, type ScoreBuffer } from './score-buffer.ts';
import type { KeptScore } from './score-store.ts';
import { readQueueEntry, saveQueueEntry } from './store.ts';

/** Spreads the last run of a day over this time, so that not all users are scored at once. */
const SPREAD_MS = 20 * MINUTE_MS;

export async function scoreQueuedDays(tx: Transaction, user: UserHandle, now: Date): Promise<void> {
  const entry = await readQueueEntry(tx, user);
  if (entry === null || entry.days.length === 0) return;
  const zone = createZone(user.timezone);
  const today = zone.dayAt(now.getTime()).date;
  const isDayDue = isPresentDayDue(entry, now, (ms) => zone.dayAt(ms).date === today);
  const { past, later } = splitAt(entry.days, today);
  const unbegun = later.flatMap(({ from, to }) => listDays(from, to));
  const buffer = openScoreBuffer(tx, user);
  await buffer.replaceInputs(await gatherInputs(tx, user, past, now));
  await buffer.replaceInputs(new Map(unbegun.map((date) => [date, null])));
  const changed = await scoreReached({ tx, user, buffer, past, unbegun, today, isDayDue, now });
  const hasWritten = await buffer.flush();
  const isDerivedAgain = await saveDerived(tx, user, changed.derived, now);
  if (changed.dates.length > 0) await emitScoreChange(tx, user, changed, now);
  if (isDerivedAgain || hasWritten) await advanceRevision(tx, user); // explanations show inputs, too
  const isScored = await buffer.hasScores();
  const calibrationDays = isScored ? countCalibrationDays(await listLastDays(tx, user, buffer, today)) : 0;
  const calibratingUntil = calibrationDays === 0 ? null : new Date(zone.dayOf(addDays(today, calibrationDays - 1)).end);
  await recordScoring(tx, user, { at: isScored ? now : null, calibratingUntil });
  const isTodayQueued = past.some(({ to }) => to === today);
  await saveQueueEntry(
    tx,
    user,
    planNext({ user, entry, later, today, isTodayQueued, isDayDue, now, dayEnd: zone.dayOf(today).end }),
  );
}

/** When the first data of the day arrives, then every few hours. */
function isPresentDayDue({ dayScoredAt }: QueueEntry, now: Date, isToday: (ms: number) => boolean): boolean {
  if (dayScoredAt === null || !isToday(dayScoredAt.getTime())) return true;
  return now.getTime() - dayScoredAt.getTime() >= DAY_SCORES_EVERY_MS;
}

type Run = {
  readonly tx: Transaction;
  readonly user: UserHandle;
  readonly buffer: ScoreBuffer;
  readonly past: readonly DateRange[];
  /** Queued days after today. They can have scores from a time zone that is further ahead. */
  readonly unbegun: readonly LocalDate[];
  readonly today: LocalDate;
  readonly isDayDue: boolean;
  readonly now: Date;
};
type Changed = {
  readonly dates: readonly LocalDate[];
  readonly types: ReadonlySet<ScoreType>;
  readonly derived: DerivedDays;
};

/** In the order of days, because strain and energy of a day are inputs of the next. */
async function scoreReached(run: Run): Promise<Changed> {
  const { buffer, past, today, now } = run;
  const dates: LocalDate[] = [];
  const types = new Set<ScoreType>();
  const derived = new Map<LocalDate, ReadonlyMap<MetricId, number | null>>();
  const yieldIfDue = createYielder();
  const isQueued = (date: LocalDate) => past.some(({ from, to }) => from <= date && date <= to);
  const assemble = await openAssembling(run.tx, run.user, buffer, past[0]?.from ?? today, today);
  const heights = await buffer.heights();
  let reach = '' as LocalDate;
  let date = past[0]?.from ?? addDays(today, 1);
  while (date <= today) {
    if (isQueued(date)) reach = laterOf(laterOf(reach, addDays(date, LOOK_BACK_DAYS)), heights.reachOf(date) ?? reach);
    if (date > reach) {
      const next = past.find(({ from }) => from > date);
      if (next === undefined) break;
      date = next.from;
      continue;
    }
    await yieldIfDue();
    await buffer.loadAround(date);
    const isHeld = date === today && !run.isDayDue;
    const assembled = assemble(date);
    derived.set(date, deriveDay(assembled));
    const results = assembled === null ? null : scoreDay(assembled.inputs);
    const changedTypes = SCORE_TYPES.filter((type) => {
      if (isHeld && DAY_SCORES.has(type)) return false;
      const isTooSoon = date === today && ENDED_DAYS_ONLY.has(type);
      return buffer.setScore(date, type, isTooSoon ? null : toKept(results?.[type] ?? null, now));
    });
    if (!isHeld) buffer.setStress(date, assembled?.stressSeries ?? []);
    if (changedTypes.length > 0) {
      dates.push(date);
      reach = laterOf(reach, addDays(date, SCORE_LOOK_BACK_DAYS));
      for (const type of changedTypes) types.add(type);
    }
    date = addDays(date, 1);
  }
  for (const unbegun of run.unbegun) {
    await buffer.loadAround(unbegun);
    derived.set(unbegun, deriveDay(null));
    const removed = SCORE_TYPES.filter((type) => buffer.setScore(unbegun, type, null));
    buffer.setStress(unbegun, []);
    if (removed.length > 0) dates.push(unbegun);
    for (const type of removed) types.add(type);
  }
  return { dates, types, derived };
}

function deriveDay(history: MetricHistory | null): Map<MetricId, number | null> {
  const value = (id: MetricId) => (history === null ? null : (deriveFromHistory(id, history)?.value ?? null));
  return new Map([...HISTORY_RULES.keys()].map((id) => [id, value(id)]));
}

type Assembling = (date: LocalDate) => (ReturnType<typeof assembleInputs> & MetricHistory) | null;

/** Null: the day has no data, or only hidden inputs. */
export async function openAssembling(
  tx: Transaction,
  user: UserHandle,
  buffer: ScoreBuffer,
  from: LocalDate,
  to: LocalDate,
): Promise<Assembling> {
  const profile = await readProfile(tx, user);
  const heartRateRange = await readHeartRateRange(tx, user, [from, to]);
  const heights = await buffer.heights();
  const heightOn = (date: LocalDate): MetricHistory['height'] => {
    const measured = heights.on(date);
    if (measured !== null) return { cm: measured.cm, daysBefore: dayNumberOf(date) - dayNumberOf(measured.date) };
    return profile.height_cm === undefined ? null : { cm: profile.height_cm, daysBefore: null };
  };
  return (date) => {
    const reported = buffer.reported(date);
    if (reported === null) return null;
    const assembled = assembleInputs(
      {
        ageYears: profile.birth_date === undefined ? null : ageYearsOn(date, profile.birth_date),
        sex: profile.sex ?? null,
        weightKg: profile.weight_kg ?? null,
        sleepNeedMinutes: profile.sleep_need_minutes ?? null,
        energyGoalRatio: profile.energy_goal_ratio ?? null,
        heartRateRange: heartRateRange.on(date),
      },
      {
        inputs: (days) => (days === 0 ? reported : buffer.usual(addDays(date, -days))),
        scores: (days) => buffer.carried(addDays(date, -days)),
      },
    );
    return { ...assembled, height: heightOn(date) };
  };
}

/** Latest first; null: a day without data. */
async function listLastDays(
  tx: Transaction,
  user: UserHandle,
  buffer: ScoreBuffer,
  today: LocalDate,
): Promise<(ScoreInputs | null)[]> {
  const first = addDays(today, -(CALIBRATION_DAYS - 1));
  const assemble = await openAssembling(tx, user, buffer, first, today);
  await buffer.loadAround(first);
  await buffer.loadAround(today);
  return Array.from({ length: CALIBRATION_DAYS }, (_, days) => assemble(addDays(today, -days))?.inputs ?? null);
}

function toKept(result: ScoreResult | null, now: Date): KeptScore | null {
  if (result === null) return null;
  const { value, neutral, factors, coverage, explanation } = result;
  return {
    value,
    neutral,
    factors,
    coverage,
    explanation: roundExplanation(explanation),
    algorithmVersion: ALGORITHM_VERSION,
    computedAt: now.toISOString(),
  };
}

async function emitScoreChange(tx: Transaction, user: UserHandle, { dates, types }: Changed, now: Date): Promise<void> {
  const [from, to] = [dates[0], dates.at(-1)];
  if (from === undefined || to === undefined) return;
  const metrics = SCORE_TYPES.filter((type) => types.has(type)) as string[] as MetricId[];
  await recordEvent(tx, user, { type: 'score.updated', deviceId: null, metrics, days: { from, to } }, now);
}

/** The current day is scored again after it ends, or earlier if this run skipped some of its scores. */
function planNext(run: {
  readonly user: UserHandle;
  readonly entry: QueueEntry;
  readonly later: readonly DateRange[];
  readonly today: LocalDate;
  readonly isTodayQueued: boolean;
  readonly isDayDue: boolean;
  readonly now: Date;
  readonly dayEnd: number;
}): QueueEntry & { dueAt: Date | null } {
  const { entry, later, today, isTodayQueued, isDayDue, now, dayEnd } = run;
  const ended = dayEnd + spreadOf(run.user.userId);
  const days = isTodayQueued ? [{ from: today, to: today }, ...later] : later;
  const dayScoredAt = isTodayQueued && isDayDue ? now : entry.dayScoredAt;
  const held = isTodayQueued && !isDayDue && entry.dayScoredAt !== null;
  const dueMs = held ? Math.min(entry.dayScoredAt.getTime() + DAY_SCORES_EVERY_MS, ended) : ended;
  return { days, dayScoredAt, dueAt: days.length === 0 ? null : new Date(dueMs) };
}

/** The same every day for a user. */
function spreadOf(userId: string): number {
  const part = Number.parseInt(userId.slice(-4), 16) / 0x1_00_00;
  return Math.round(part * SPREAD_MS);
}

function splitAt(days: readonly DateRange[], today: LocalDate): { past: DateRange[]; later: DateRange[] } {
  const tomorrow = addDays(today, 1);
  return {
    past: days.filter(({ from }) => from <= today).map(({ from, to }) => ({ from, to: to < today ? to : today })),
    later: days.filter(({ to }) => to > today).map(({ from, to }) => ({ from: from > tomorrow ? from : tomorrow, to })),
  };
}

function laterOf(a: LocalDate, b: LocalDate): LocalDate {
  return a > b ? a : b;
}
