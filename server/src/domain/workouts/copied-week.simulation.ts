// A simulated week of 22 workouts that reach the service 191 more times: through Strava, Withings, Google, Apple Health and
// Health Connect, over several steps, with other times, other sports and in parts (copied-week.test.ts).
import type { DeviceClass } from '../metrics/metric.ts';
import type { EpochMs, RecordedBy } from '../records/records.ts';
import { createDraw, type Draw } from '../sandbox/draw.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../time/durations.ts';

export type SourceName = keyof typeof SOURCES;
type SimulatedSource = { provider: string; deviceClass: DeviceClass; app?: string; vendor?: string };

/** With `app`: an app that writes into the phone's health store. */
export const SOURCES = {
  garmin: { provider: 'garmin', deviceClass: 'wrist' },
  polar: { provider: 'polar', deviceClass: 'chest_strap' },
  watch: { provider: 'apple_health', deviceClass: 'wrist', app: 'com.apple.health.watch' },
  strava: { provider: 'strava', deviceClass: 'app' },
  withings: { provider: 'withings', deviceClass: 'wrist' },
  google: { provider: 'google_health', deviceClass: 'wrist' },
  appleGarmin: { provider: 'apple_health', deviceClass: 'wrist', app: 'com.garmin.connect.mobile', vendor: 'garmin' },
  applePolar: { provider: 'apple_health', deviceClass: 'app', app: 'fi.polar.polarbeat', vendor: 'polar' },
  appleStrava: { provider: 'apple_health', deviceClass: 'app', app: 'com.strava.stravaride', vendor: 'strava' },
  androidGarmin: {
    provider: 'health_connect',
    deviceClass: 'wrist',
    app: 'com.garmin.android.apps.connectmobile',
    vendor: 'garmin',
  },
  androidPolar: { provider: 'health_connect', deviceClass: 'app', app: 'fi.polar.polarflow', vendor: 'polar' },
  androidStrava: { provider: 'health_connect', deviceClass: 'app', app: 'com.strava', vendor: 'strava' },
  androidSync: { provider: 'health_connect', deviceClass: 'app', app: 'nl.appyhapps.healthsync', vendor: 'other' },
} as const satisfies Record<string, SimulatedSource>;

const COPIES: Readonly<Record<'garmin' | 'polar' | 'watch', readonly SourceName[]>> = {
  garmin: [
    'strava',
    'withings',
    'google',
    'appleGarmin',
    'appleStrava',
    'androidGarmin',
    'androidStrava',
    'androidSync',
  ],
  polar: ['strava', 'withings', 'google', 'applePolar', 'appleStrava', 'androidPolar', 'androidStrava', 'androidSync'],
  watch: ['strava', 'withings', 'google', 'appleStrava', 'androidStrava', 'androidSync'],
};

export type SimulatedRecord = {
  readonly source: SourceName;
  readonly key: string;
  readonly sportType: string;
  readonly start: EpochMs;
  readonly end: EpochMs;
  readonly recordedBy: RecordedBy | null;
  /** The key of the workout that really happened; its own for the original. */
  readonly original: string;
};

export const WORKOUT_COUNT = 22;
export const COPY_COUNT = 191;
const SHORT_MS = 5 * MINUTE_MS;
/** Sports of one family that sources use for each other. */
const NAMES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  running: ['running', 'trail_running', 'treadmill_running'],
  cycling: ['cycling', 'gravel_cycling', 'mountain_biking'],
  swimming: ['swimming', 'pool_swimming', 'open_water_swimming'],
  strength_training: ['strength_training'],
  walking: ['walking'],
};

type Plan = readonly [sport: string, startMinutes: number, lengthMinutes: number];
/** Minutes after the day began: apart, back to back, a triathlon, and one of three minutes. */
const DAYS: readonly (readonly Plan[])[] = [
  [
    ['running', 390, 45],
    ['walking', 740, 20],
    ['cycling', 1_080, 95],
  ],
  [
    ['running', 400, 30],
    ['running', 432, 28],
    ['strength_training', 1_100, 50],
  ],
  [
    ['swimming', 420, 40],
    ['cycling', 462, 80],
    ['running', 544, 35],
  ],
  [
    ['running', 720, 3],
    ['strength_training', 1_050, 40],
    ['walking', 1_092, 25],
  ],
  [
    ['cycling', 360, 150],
    ['walking', 800, 15],
    ['running', 1_110, 60],
  ],
  [
    ['running', 480, 110],
    ['cycling', 900, 45],
    ['cycling', 946, 44],
  ],
  [
    ['walking', 540, 70],
    ['running', 700, 25],
    ['strength_training', 1_000, 35],
    ['walking', 1_400, 30],
  ],
];

export function createCopiedWeek(seed: number, weekStartMs: number): readonly SimulatedRecord[] {
  const draw = createDraw('copied week', seed);
  const originals = DAYS.flatMap((plans, day) =>
    plans.map((plan, index) => toOriginal(draw, weekStartMs + day * 24 * HOUR_MS, plan, `w${day}-${index}`)),
  );
  const copies = originals.flatMap((original) =>
    COPIES[original.source as keyof typeof COPIES].map((source) => copyOf(draw, original, source)),
  );
  const lacking = COPY_COUNT - copies.length;
  const ends = new Map(originals.map(({ key, end }) => [key, end]));
  const isWhole = ({ end, original }: SimulatedRecord) => end <= (ends.get(original) ?? 0) + 2 * MINUTE_MS;
  const isLong = ({ start, end }: SimulatedRecord) => end - start > 2 * SHORT_MS;
  const divided = new Set(
    shuffle(
      draw,
      copies.filter((copy) => isLong(copy) && isWhole(copy)),
    ).slice(0, lacking),
  );
  const all = copies.flatMap((copy) => (divided.has(copy) ? divide(draw, copy) : [copy]));
  return shuffle(draw, [...originals, ...all]);
}

function toOriginal(draw: Draw, dayStartMs: number, [sportType, startMinutes, lengthMinutes]: Plan, key: string) {
  const start = (dayStartMs + startMinutes * MINUTE_MS + Math.round(draw.between(0, 20)) * SECOND_MS) as EpochMs;
  const end = (start + lengthMinutes * MINUTE_MS) as EpochMs;
  const source = draw.pick(['garmin', 'garmin', 'polar', 'watch'] as const);
  return { source, key, sportType, start, end, recordedBy: null, original: key } satisfies SimulatedRecord;
}

function copyOf(draw: Draw, original: SimulatedRecord, source: SourceName): SimulatedRecord {
  const isShort = original.end - original.start < SHORT_MS;
  const shift = () => Math.round(draw.between(-100, 100)) * SECOND_MS;
  const round = (ms: number, toMs: number) => Math.round(ms / toMs) * toMs;
  const toMs = draw.isLucky(0.3) && !isShort ? MINUTE_MS : SECOND_MS;
  const start = round(original.start + Math.max(-90 * SECOND_MS, Math.min(90 * SECOND_MS, shift())), toMs);
  const end = round(original.end + (isShort ? 0 : changeEnd(draw, original) + shift()), toMs);
  const isUnnamed = !isShort && draw.isLucky(0.15);
  return {
    source,
    key: `${source} ${original.key}`,
    sportType: isUnnamed ? 'other' : draw.pick(NAMES[original.sportType] ?? ['other']),
    start: start as EpochMs,
    end: Math.max(end, start + MINUTE_MS) as EpochMs,
    recordedBy: attribute(draw, original, source),
    original: original.key,
  };
}

/** Only the moving time, a cut end, or the pause after it too. */
function changeEnd(draw: Draw, { start, end }: SimulatedRecord): number {
  const kind = draw.unit();
  if (kind < 0.2) return -draw.between(0.1, 0.4) * (end - start);
  return kind < 0.35 ? draw.between(5, 25) * MINUTE_MS : 0;
}

/** What the payload of the source says. Sources on the phone are known by their app. */
function attribute(draw: Draw, original: SimulatedRecord, source: SourceName): RecordedBy | null {
  const vendor = SOURCES[original.source].provider;
  if (source === 'strava') {
    const id = draw.isLucky(0.7) ? original.key : null;
    return draw.isLucky(0.8) ? { vendor, id } : { vendor: null, id: null };
  }
  if (source === 'withings') return { vendor: draw.isLucky(0.6) ? 'apple_health' : null, id: null };
  if (source === 'google') return { vendor: draw.isLucky(0.5) ? 'health_connect' : vendor, id: null };
  return null;
}

/** A source that begins a new workout after a pause. */
function divide(draw: Draw, copy: SimulatedRecord): SimulatedRecord[] {
  const length = copy.end - copy.start;
  const pauseAt = round(copy.start + draw.between(0.3, 0.6) * length);
  const resumedAt = round(pauseAt + draw.between(0.02, 0.1) * length);
  return [
    { ...copy, key: `${copy.key} 1`, end: pauseAt },
    { ...copy, key: `${copy.key} 2`, start: resumedAt },
  ];
}

function round(ms: number): EpochMs {
  return (Math.round(ms / SECOND_MS) * SECOND_MS) as EpochMs;
}

function shuffle<One>(draw: Draw, list: readonly One[]): One[] {
  return list
    .map((one) => [draw.unit(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one);
}
