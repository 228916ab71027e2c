// Suunto lists workouts with the places where they began and ended, whether we want them or not.
import { isObject } from '../read-json.ts';

const POSITIONS: readonly string[] = ['startPosition', 'stopPosition', 'centerPosition', 'polyline'];

export function withoutPositions(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { payload } = body;
  return { ...body, payload: Array.isArray(payload) ? payload.map(dropPositions) : dropPositions(payload) };
}

function dropPositions(workout: unknown): unknown {
  if (!isObject(workout)) return workout;
  return Object.fromEntries(Object.entries(workout).filter(([name]) => !POSITIONS.includes(name)));
}
