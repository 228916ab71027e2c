// The workouts of a response, the request for their recording, and their origin.
import type { ProviderRequest } from '../contract.ts';
import { collectRecords } from '../provider-records.ts';
import { asObject, type JsonObject, readId, readNumber, readPart, readText, readValues } from '../read-json.ts';

export const FILES_ORIGIN = 'https://cdn.wahooligan.com';

/** A page, or one workout requested by its id. */
export function listWorkouts(body: unknown): readonly unknown[] {
  const answer = asObject(body);
  return isPage(answer) ? readValues(answer, 'workouts') : [answer];
}

export function isPage(body: unknown): boolean {
  return 'workouts' in asObject(body);
}

/** Null: no recording, or one elsewhere, which we do not request. Never throws, because it decides how the response is mapped. */
export function requestFile(item: unknown): ProviderRequest | null {
  let url: string | null = null;
  collectRecords().each([item], (workout: JsonObject) => {
    const file = readPart(readPart(workout, 'workout_summary') ?? {}, 'file');
    url = readId(workout, 'id') === null || file === null ? null : readText(file, 'url');
  });
  const parsed = url === null ? null : URL.parse(url);
  if (parsed?.origin !== FILES_ORIGIN) return null;
  const query = Object.fromEntries(parsed.searchParams);
  return { origin: 'files', method: 'GET', path: parsed.pathname, query, accepts: 'file', as: 'nobody' };
}

/** Above this number another application uploaded the workout. */
const OWN_APPS = 1_000;

export function isOfOtherApp(summary: JsonObject): boolean {
  const app = readNumber(summary, 'fitness_app_id') ?? readNumber(readPart(summary, 'file') ?? {}, 'fitness_app_id');
  return app !== null && app > OWN_APPS;
}
