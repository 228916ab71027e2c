import type { MapContext } from '../contract.ts';
import { scale } from '../make-sessions.ts';
import { type JsonObject, readNumber } from '../read-json.ts';
import { CALORIES } from './unconfirmed.ts';

/** The reference says "calorie", and its example has 9,553 of them with 52 steps, which cannot be kcal. */
export function readKcal(item: JsonObject, parts: MapContext['parts']): number | null {
  return parts?.has(CALORIES) ? scale(readNumber(item, 'calorie'), 1_000) : null;
}
