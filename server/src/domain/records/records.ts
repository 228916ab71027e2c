// What a device reports, as the service stores it: the device's numbers with their unit, in UTC, not consolidated.
import type { Branded } from '../branded.ts';
import type { MetricId } from '../metrics/metric.ts';
import type { LocalDate } from '../time/calendar.ts';

export type EpochMs = Branded<number, 'EpochMs'>;

export const RECORDING_METHODS = ['automatic', 'active', 'manual', 'unknown'] as const;
export type RecordingMethod = (typeof RECORDING_METHODS)[number];

/** One measurement, identified by device, metric and start. An instant ends at its start. */
export type Sample = {
  readonly start: EpochMs;
  readonly end: EpochMs;
  readonly value: number;
  readonly unit: string;
  /** The UTC offset of the timestamp as sent, which gives the local time of the device. */
  readonly offsetMinutes: number;
  readonly method: RecordingMethod;
};

/** A daily total or level that the device itself reported. Identified by device, metric and date. */
export type DailyValue = {
  readonly date: LocalDate;
  readonly metric: MetricId;
  readonly value: number;
  readonly unit: string;
  readonly method: RecordingMethod;
  /** Imported from another vendor's device: a copy if that device reports the day too. */
  readonly isImported?: boolean;
};

export const SLEEP_STAGES = ['awake', 'light', 'deep', 'rem', 'asleep', 'in_bed'] as const;
export type SleepStage = (typeof SLEEP_STAGES)[number];
export type StagePeriod = { readonly stage: SleepStage; readonly start: EpochMs; readonly end: EpochMs };
export const HRV_KINDS = ['rmssd', 'sdnn'] as const;
export type HrvKind = (typeof HRV_KINDS)[number];

/** One sleep as a device reported it. Null: not reported. Identified by device and key (its id, else its start). */
export type SleepSession = {
  readonly key: string;
  readonly start: EpochMs;
  readonly end: EpochMs;
  readonly offsetMinutes: number;
  readonly stages: readonly StagePeriod[] | null;
  readonly asleepMinutes: number | null;
  readonly deepMinutes: number | null;
  readonly lightMinutes: number | null;
  readonly remMinutes: number | null;
  readonly awakeMinutes: number | null;
  readonly inBedMinutes: number | null;
  readonly heartRate: number | null;
  readonly heartRateVariability: number | null;
  readonly hrvKind: HrvKind;
  readonly respiratoryRate: number | null;
  readonly bloodOxygen: number | null;
  readonly bodyTemperature: number | null;
  readonly skinTemperature: number | null;
  readonly wristTemperature: number | null;
  readonly method: RecordingMethod;
};

/** How many heart-rate zones a workout has: 50-60 to 90-100 % of heart-rate reserve. */
export const ZONE_COUNT = 5;

/** Time in heart-rate zones as a source counted it, with its own zone limits. */
export type SourceZones = {
  /** For zones 1 to 5. */
  readonly minutes: readonly number[];
  /** The source has fewer zones, each mapped to the nearest of the five. */
  readonly isApproximate: boolean;
};

export type HeartRateSample = { readonly time: EpochMs; readonly bpm: number };

/** One position of a route. */
export type RoutePoint = {
  readonly time: EpochMs;
  readonly latitude: number;
  readonly longitude: number;
  readonly elevationM: number | null;
};

export type WorkoutLap = {
  readonly start: EpochMs;
  readonly end: EpochMs;
  readonly distanceKm: number | null;
  readonly activeCalories: number | null;
  readonly avgHeartRate: number | null;
  readonly maxHeartRate: number | null;
  readonly elevationGainM: number | null;
};

/** Where a workout comes from that its source received from another vendor. */
export type RecordedBy = {
  /** The vendor's provider id; null: not recognized. */
  readonly vendor: string | null;
  /** The vendor's own id of the workout; null: not reported. */
  readonly id: string | null;
};

export type Workout = {
  readonly key: string;
  readonly sportType: string;
  readonly name: string | null;
  readonly start: EpochMs;
  readonly end: EpochMs;
  readonly offsetMinutes: number;
  readonly durationMinutes: number | null;
  readonly distanceKm: number | null;
  readonly activeCalories: number | null;
  readonly steps: number | null;
  readonly elevationGainM: number | null;
  readonly avgMets: number | null;
  readonly weatherTemperatureC: number | null;
  readonly weatherHumidityPct: number | null;
  readonly swimmingStrokeCount: number | null;
  readonly swimmingLapLengthM: number | null;
  readonly avgHeartRate: number | null;
  readonly maxHeartRate: number | null;
  readonly sourceZones: SourceZones | null;
  readonly heartRateSamples: readonly HeartRateSample[] | null;
  /** Ascending in time. Absent or null: not reported, or the account does not keep routes. */
  readonly route?: readonly RoutePoint[] | null;
  readonly laps?: readonly WorkoutLap[] | null;
  /** Absent or null: recorded by a device of the source itself, as far as is known. */
  readonly recordedBy?: RecordedBy | null;
  readonly method: RecordingMethod;
};
