// What the notes of month sheets say. The words are stored: never change one.
import type { HrvKind } from '../records/records.ts';
import { RECORDING_METHODS, type RecordingMethod } from '../records/records.ts';
import type { DeviceNumber } from '../tenancy.ts';

/**
 * Where a device's value of a day comes from: it said so, or it was added up from its samples or its sessions. `imported`: it said
 * so of another maker's device.
 */
export const DAY_ORIGINS = ['stated', 'samples', 'sessions', 'imported'] as const;
export type DayOrigin = (typeof DAY_ORIGINS)[number];

/** Whether the source gave the value for the day, so that nothing is added up. */
export function isOfWholeDay(origin: DayOrigin): boolean {
  return origin === 'stated' || origin === 'imported';
}

export type DeviceDayNote = {
  readonly origin: DayOrigin;
  readonly unit: string;
  readonly method: RecordingMethod;
};

/** The unit comes last: it may hold anything. */
export function formatDeviceDayNote({ origin, unit, method }: DeviceDayNote): string {
  return `${origin} ${method} ${unit}`;
}

/** There are a few dozen, and each is read for every value that is chosen. */
const knownNotes = new Map<string, DeviceDayNote>();
const MAX_KNOWN_NOTES = 10_000;

export function parseDeviceDayNote(note: string): DeviceDayNote {
  const known = knownNotes.get(note);
  if (known !== undefined) return known;
  const parsed = readDeviceDayNote(note);
  if (knownNotes.size < MAX_KNOWN_NOTES) knownNotes.set(note, parsed);
  return parsed;
}

function readDeviceDayNote(note: string): DeviceDayNote {
  const [origin = '', method = ''] = note.split(' ', 2);
  return {
    origin: pick(DAY_ORIGINS, origin, note),
    method: pick(RECORDING_METHODS, method, note),
    unit: note.slice(origin.length + method.length + 2),
  };
}

/** The devices that a canonical value was made from, best first. A value that none of them gave is computed: ''. */
export function formatContributors(devices: readonly DeviceNumber[], hrvKind: HrvKind | null = null): string {
  return hrvKind === null ? devices.join(',') : `${devices.join(',')} ${hrvKind}`;
}

export function parseContributors(note: string): DeviceNumber[] {
  const [devices = ''] = note.split(' ', 1);
  return devices === '' ? [] : devices.split(',').map((number) => Number(number) as DeviceNumber);
}

/** Of a night's heart rate variability; null: not noted. */
export function parseHrvKind(note: string): HrvKind | null {
  if (note.endsWith(' rmssd')) return 'rmssd';
  return note.endsWith(' sdnn') ? 'sdnn' : null;
}

function pick<Word extends string>(words: readonly Word[], word: string, note: string): Word {
  const found = words.find((known) => known === word);
  if (found === undefined) throw new Error(`a note of a day makes no sense: ${note}`);
  return found;
}
