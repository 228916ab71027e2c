// Withings' ids and names.
import { nameHex, nameInteger } from '../names.ts';

/** `type` is the name of the device type in sleep summaries. */
export const DEVICES = {
  scale: { model: 'Body Cardio', modelid: 6, type: 1 },
  cuff: { model: 'BPM Connect', modelid: 45, type: 4 },
  thermometer: { model: 'Thermo', modelid: 70, type: 128 },
  watch: { model: 'ScanWatch', modelid: 93, type: 16 },
} as const;
export type DeviceName = keyof typeof DEVICES;

export function userIdOf(seed: string): number {
  return Number(nameInteger(31, 'withings', seed, 'user'));
}

export function numberOf(seed: string, kind: string, name: string): number {
  return Number(nameInteger(40, 'withings', seed, kind, name));
}

/** For both of its fields. */
export function deviceIdOf(seed: string, device: DeviceName) {
  const id = nameHex(40, 'withings', seed, device);
  return { deviceid: id, hash_deviceid: id };
}
