// What all readers of results share.
import { asObject, isObject, type JsonObject, readNumber, readValues } from '../read-json.ts';

/** A page, or one result requested by its id. */
export function listResults(body: unknown): readonly unknown[] {
  const page = asObject(body);
  return isObject(page.data) ? [page.data] : readValues(page, 'data');
}

/** A result without them is complete. */
export function hasStrokes(result: JsonObject): boolean {
  return result.stroke_data === true;
}

/** 0: no sensor. */
export function readBpm(item: JsonObject, name: string): number | null {
  const bpm = readNumber(item, name);
  return bpm === 0 ? null : bpm;
}
