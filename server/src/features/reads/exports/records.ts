// What an export contains, before a format writes it: the same values as the reads of the API, with names that say their unit.
import type { LocalDate } from '../../../domain/time/calendar.ts';

export const EXPORT_RESOURCES = ['daily', 'sleep', 'workouts', 'scores', 'samples'] as const;
export type ExportResource = (typeof EXPORT_RESOURCES)[number];

/** The device that a record comes from. Without an id: computed by the service. */
export type Origin = { readonly provider: string; readonly device_id: string | null };

export type ExportedDaily = Origin & {
  readonly date: LocalDate;
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
};

type StageRecord = { readonly stage: string; readonly start: string; readonly end: string };

export type ExportedSleep = Origin & {
  readonly id: string;
  readonly date: LocalDate;
  readonly start: string;
  readonly end: string;
  readonly is_main_sleep: boolean;
  readonly asleep_minutes: number | null;
  readonly deep_minutes: number | null;
  readonly light_minutes: number | null;
  readonly rem_minutes: number | null;
  readonly awake_minutes: number | null;
  readonly in_bed_minutes: number | null;
  readonly latency_minutes: number | null;
  readonly wake_after_onset_minutes: number | null;
  readonly awakenings: number | null;
  readonly efficiency_pct: number | null;
  readonly heart_rate: number | null;
  readonly heart_rate_variability: number | null;
  readonly hrv_kind: string | null;
  readonly respiratory_rate: number | null;
  readonly blood_oxygen: number | null;
  readonly body_temperature: number | null;
  readonly skin_temperature: number | null;
  readonly wrist_temperature: number | null;
  readonly stages: readonly StageRecord[] | null;
};

export type ExportedWorkout = Origin & {
  readonly id: string;
  readonly date: LocalDate;
  readonly start: string;
  readonly end: string;
  readonly sport_type: string;
  readonly name: string | null;
  readonly duration_minutes: number | null;
  readonly distance_km: number | null;
  readonly active_calories: number | null;
  readonly steps: number | null;
  readonly elevation_gain_m: number | null;
  readonly avg_heart_rate: number | null;
  readonly max_heart_rate: number | null;
  readonly strain: number | null;
  readonly heart_rate_zone_minutes: Readonly<Record<string, number>> | null;
};

type FactorRecord = { readonly name: string; readonly contribution: number };

export type ExportedScore = {
  readonly date: LocalDate;
  readonly type: string;
  readonly value: number;
  readonly band: string | null;
  readonly algorithm_version: number;
  readonly computed_at: string;
  readonly coverage: number | null;
  readonly factors: readonly FactorRecord[];
};

/** A record with all providers that contributed to it. */
export type Traced<Kind> = { readonly record: Kind; readonly providers: readonly string[] };

/** What differs between the samples of a metric and device, as formats write it. */
export type SampleParts = {
  readonly id: string;
  readonly start: string;
  /** The start again if the sample is an instant. */
  readonly end: string;
  readonly isInstant: boolean;
  readonly value: number;
};

/** Everything but samples. */
export type Records = {
  readonly daily: ExportedDaily;
  readonly sleep: ExportedSleep;
  readonly workouts: ExportedWorkout;
  readonly scores: ExportedScore;
};
