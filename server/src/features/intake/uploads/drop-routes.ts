// An upload as it is kept in the raw layer by an account that does not keep routes. Pure.

type SentWorkout = { readonly route?: unknown; readonly laps?: unknown };

export function hasSentRoutes(json: unknown): boolean {
  return listWorkouts(json).some((workout) => isObject(workout) && ('route' in workout || 'laps' in workout));
}

export function withoutRoutes(json: unknown): unknown {
  const workouts = listWorkouts(json).map((workout) => {
    if (!isObject(workout)) return workout;
    const { route: _route, laps: _laps, ...others } = workout as SentWorkout;
    return others;
  });
  return { ...(json as object), workouts };
}

function listWorkouts(json: unknown): readonly unknown[] {
  const workouts = isObject(json) && 'workouts' in json ? json.workouts : null;
  return Array.isArray(workouts) ? workouts : [];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
