// What every reader of a file format hands over: the items of an SDK upload, with their source and their position in the file.
import type { DeviceClass } from '../../../domain/metrics/index.ts';
import type { RecordingMethod, SleepStage } from '../../../domain/records/records.ts';

/** Becomes a device. Readers use one object per source, because the batches are collected by object. */
export type ImportSource = {
  readonly provider: string;
  readonly id: string;
  readonly name: string;
  readonly model?: string;
  readonly device_class?: DeviceClass;
};

export type ImportSample = {
  metric: string;
  start: string;
  end?: string;
  value: number;
  unit?: string;
  recording_method?: RecordingMethod;
};

type ImportDaily = { date: string; metric: string; value: number; unit?: string };

type ImportSleep = {
  id?: string;
  start: string;
  end: string;
  stages?: { stage: SleepStage; start: string; end: string }[];
  asleep_minutes?: number | null;
  deep_minutes?: number | null;
  light_minutes?: number | null;
  rem_minutes?: number | null;
  awake_minutes?: number | null;
  in_bed_minutes?: number | null;
  heart_rate?: number | null;
  heart_rate_variability?: number | null;
  respiratory_rate?: number | null;
  blood_oxygen?: number | null;
  recording_method?: RecordingMethod;
};

export type ImportWorkout = {
  id?: string;
  sport_type: string;
  start: string;
  end: string;
  name?: string | null;
  duration_minutes?: number | null;
  distance_km?: number | null;
  active_calories?: number | null;
  steps?: number | null;
  elevation_gain_m?: number | null;
  avg_mets?: number | null;
  weather_temperature_c?: number | null;
  weather_humidity_pct?: number | null;
  swimming_stroke_count?: number | null;
  swimming_lap_length_m?: number | null;
  heart_rate?: {
    avg_bpm?: number | null;
    max_bpm?: number | null;
    samples?: { timestamp: string; bpm: number }[];
  };
  recording_method?: RecordingMethod;
};

export type ImportItems = {
  samples: ImportSample;
  daily: ImportDaily;
  sleep: ImportSleep;
  workouts: ImportWorkout;
};
export type ImportList = keyof ImportItems;

/** A line of the file; or, in an archive, the entry and possibly its line. */
export type FilePosition = number | string;

export type ImportSink = {
  add<List extends ImportList>(source: ImportSource, list: List, item: ImportItems[List], position: FilePosition): void;
  /** A record that fits no metric of the catalog; counted by its type. */
  skip(what: string): void;
  /** A record that cannot be read; the others are imported. */
  reject(message: string, position: FilePosition): void;
  /** Batches wait to be sent: call `drain` before reading on. */
  isFull(): boolean;
  drain(): Promise<void>;
};
