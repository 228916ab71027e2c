// The format of notes in month sheets. The words are stored, so never change one.
import { createBoundedMap } from '../bounded-map.ts';
import type { HrvKind } from '../records/records.ts';
import { RECORDING_METHODS, type RecordingMethod } from '../records/records.ts';
import type { DeviceNumber } from '../tenancy.ts';

/**
 * Where a device's daily value comes from: the device stated it, or it was computed from samples or sessions.
 * `imported`: stated by the device for another vendor's device.
 */
export const DAY_ORIGINS = ['stated', 'samples', 'sessions', 'imported'] as const;
export type DayOrigin = (typeof DAY_ORIGINS)[number];

/** Whether the source gave the value for the whole day, so that nothing is added up. */
export function isOfWholeDay(origin: DayOrigin): boolean {
  return origin === 'stated' || origin === 'imported';
}

export type DeviceDayNote = {
  readonly origin: DayOrigin;
  readonly unit: string;
  readonly method: RecordingMethod;
};

/** The unit comes last because it may contain spaces. */
export function formatDeviceDayNote({ origin, unit, method }: DeviceDayNote): string {
  return `${origin} ${method} ${unit}`;
}

/** There are a few dozen notes, and one is parsed for every consolidated value. */
const MAX_KNOWN_NOTES = 10_000;
const knownNotes = createBoundedMap<string, DeviceDayNote>(MAX_KNOWN_NOTES);

export function parseDeviceDayNote(note: string): DeviceDayNote {
  return knownNotes.getOrInsertComputed(note, readDeviceDayNote);
}

function readDeviceDayNote(note: string): DeviceDayNote {
  const [origin = '', method = ''] = note.split(' ', 2);
  return {
    origin: pick(DAY_ORIGINS, origin, note),
    method: pick(RECORDING_METHODS, method, note),
    unit: note.slice(origin.length + method.length + 2),
  };
}

/**
 * The devices that contributed to a canonical value, best first; '' for a computed value. `values`: what a device
 * contributed, in the catalog's unit, where the device sheet does not have it.
 */
export function formatContributors(
  devices: readonly DeviceNumber[],
  hrvKind: HrvKind | null = null,
  values: ReadonlyMap<DeviceNumber, number> = NO_VALUES,
): string {
  const listed = devices.map((device) => (values.has(device) ? `${device}=${values.get(device)}` : device)).join(',');
  return hrvKind === null ? listed : `${listed} ${hrvKind}`;
}

const NO_VALUES: ReadonlyMap<DeviceNumber, number> = new Map();

export type Contributor = {
  readonly device: DeviceNumber;
  /** In the catalog's unit; null: the value in the device sheet. */
  readonly value: number | null;
};

export function parseContributors(note: string): Contributor[] {
  const [devices = ''] = note.split(' ', 1);
  if (devices === '') return [];
  return devices.split(',').map((contributor) => {
    const [device, value] = contributor.split('=', 2);
    return { device: Number(device) as DeviceNumber, value: value === undefined ? null : Number(value) };
  });
}

/** The kind of a night's heart rate variability; null if not noted. */
export function parseHrvKind(note: string): HrvKind | null {
  if (note.endsWith(' rmssd')) return 'rmssd';
  return note.endsWith(' sdnn') ? 'sdnn' : null;
}

function pick<Word extends string>(words: readonly Word[], word: string, note: string): Word {
  const found = words.find((known) => known === word);
  if (found === undefined) throw new Error(`malformed note of a day: ${note}`);
  return found;
}
