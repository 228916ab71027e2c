// Numbers that are 0 only where the sensor had no signal: rates of heart and breath, and what is made of them.
import { type JsonObject, readNumber } from '../read-json.ts';

export function readSignal(item: JsonObject, name: string): number | null {
  const value = readNumber(item, name);
  return value !== null && isSignal(value) ? value : null;
}

export function isSignal(value: number): boolean {
  return value > 0;
}
