// The workouts of a user that are shown, of a range of days.
import { createZone } from '../../domain/day.ts';
import { divideHistogramIntoZones, type HeartRateZone } from '../../domain/workouts/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { readHeartLimits } from '../heart-limits/index.ts';
import { openForReading, type ReadingContext } from '../reading/index.ts';
import {
  countShownWorkouts,
  listShownWorkouts,
  planPage,
  readSources,
  type StoredWorkout,
  withSources,
} from '../sessions/index.ts';
import type { UserHandle } from '../subjects/index.ts';
import type { WorkoutQuestion, WorkoutReading } from './workout-reading.ts';

type Context = ReadingContext & { revalidate(version: string): void };

export async function readWorkouts(context: Context, question: WorkoutQuestion): Promise<WorkoutReading> {
  const { db } = context.services;
  const user = await openForReading(context, question.userId);
  const plan = planPage(context.services, user, 'workouts', question.page);
  const { range } = plan;
  context.revalidate(`${user.dataRevision} ${range.from} ${range.to}`);
  const { page, withZones, unitSystem, includeSources } = question;
  const [rows, total] = await Promise.all([
    listShownWorkouts(db, user, range, plan.rows),
    page.by === 'page' ? countShownWorkouts(db, user, range) : 0,
  ]);
  const sources = await readSources(db, user); // after the rows: a device that came between is known then
  const { shown, nextCursor } = plan.cut(rows);
  const listed = withSources(shown, sources);
  return {
    range,
    zone: createZone(user.timezone),
    workouts: withZones ? await addZones(db, user, listed) : listed.map((workout) => ({ ...workout, zones: null })),
    nextCursor,
    meta: page.by === 'page' ? { page: page.page, perPage: page.perPage ?? total, total } : null,
    unitSystem,
    includeSources,
  };
}

export async function addZones<Workout extends StoredWorkout>(
  db: Queryable,
  user: UserHandle,
  workouts: readonly Workout[],
): Promise<(Workout & { readonly zones: HeartRateZone[] | null })[]> {
  const dates = workouts.filter(({ histogram }) => histogram !== null).map(({ date }) => date);
  const limits = dates.length === 0 ? null : await readHeartLimits(db, user, dates);
  return workouts.map((workout) => {
    const { histogram, date } = workout;
    const isTraced = histogram !== null && limits !== null;
    return { ...workout, zones: isTraced ? divideHistogramIntoZones(histogram, limits.on(date)) : null };
  });
}
