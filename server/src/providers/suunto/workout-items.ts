// The workouts of a response, and the request for their recording.
import type { ProviderRequest } from '../contract.ts';
import { collectRecords } from '../provider-records.ts';
import { asObject, isObject, type JsonObject, readText, readValues } from '../read-json.ts';

export const WORKOUTS = 'workouts';

/** A page, or one workout requested by its key. */
export function listWorkouts(body: unknown): readonly unknown[] {
  const answer = asObject(body);
  return isObject(answer.payload) ? [answer.payload] : readValues(answer, 'payload');
}

export function isPage(body: unknown): boolean {
  return !isObject(asObject(body).payload);
}

/** Null: the workout has no key. Never throws, because it decides how the response is mapped. */
export function requestFile(item: unknown): ProviderRequest | null {
  let key: string | null = null;
  collectRecords().each([item], (workout: JsonObject) => {
    key = readText(workout, 'workoutKey');
  });
  if (key === null || key === '') return null;
  return { origin: 'api', method: 'GET', path: `${pathOf(key)}/fit`, accepts: 'file', as: 'person' };
}

export function pathOf(workoutKey: string): string {
  return `/v3/workouts/${encodeURIComponent(workoutKey)}`;
}
