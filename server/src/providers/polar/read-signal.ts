// Reads numbers that are 0 only if the sensor had no signal: heart rate, respiration and derived values.
import { type JsonObject, readNumber } from '../read-json.ts';

export function readSignal(item: JsonObject, name: string): number | null {
  const value = readNumber(item, name);
  return value !== null && isSignal(value) ? value : null;
}

export function isSignal(value: number): boolean {
  return value > 0;
}
