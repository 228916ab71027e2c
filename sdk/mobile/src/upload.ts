// The wire format of POST /v1/sdk/uploads, as far as this package writes it. The service checks every item.

export type DeviceClass =
  | 'ring'
  | 'wrist'
  | 'chest_strap'
  | 'patch'
  | 'mat'
  | 'scale'
  | 'meter'
  | 'cgm'
  | 'phone'
  | 'app';
export type RecordingMethod = 'automatic' | 'active' | 'manual' | 'unknown';

export type Source = {
  readonly provider: 'apple_health' | 'health_connect' | 'samsung_health';
  readonly id?: string;
  readonly name?: string;
  readonly model?: string;
  readonly device_class?: DeviceClass;
  readonly os_version?: string;
};

export type Sample = {
  readonly metric: string;
  readonly start: string;
  readonly end?: string;
  readonly value: number;
  readonly unit?: string;
  readonly recording_method?: RecordingMethod;
};
export type DailyValue = Omit<Sample, 'start' | 'end'> & { readonly date: string };
export type SleepStage = 'awake' | 'light' | 'deep' | 'rem' | 'asleep' | 'in_bed';
export type Sleep = {
  readonly id?: string;
  readonly start: string;
  readonly end: string;
  readonly stages?: readonly { readonly stage: SleepStage; readonly start: string; readonly end: string }[];
  readonly recording_method?: RecordingMethod;
};
/** The app that wrote a record, by its bundle or package id, and the app's own id of it. */
export type RecordedBy = { readonly app: string; readonly id?: string };
export type Workout = {
  readonly id?: string;
  readonly sport_type: string;
  readonly start: string;
  readonly end: string;
  readonly name?: string;
  readonly duration_minutes?: number;
  readonly distance_km?: number;
  readonly active_calories?: number;
  readonly steps?: number;
  readonly elevation_gain_m?: number;
  readonly avg_mets?: number;
  readonly weather_temperature_c?: number;
  readonly weather_humidity_pct?: number;
  readonly swimming_stroke_count?: number;
  readonly swimming_lap_length_m?: number;
  readonly recorded_by?: RecordedBy;
  readonly recording_method?: RecordingMethod;
};
export type Deletion =
  | { readonly kind: 'samples'; readonly metric: string; readonly start: string; readonly end: string }
  | { readonly kind: 'sleep' | 'workout'; readonly id: string };

/**
 * One item with the ids of the platform's records that it was made of. A deletion names such an id: the service keeps none, so
 * this package does.
 */
export type Item = { readonly ids?: readonly string[] } & (
  | { readonly list: 'samples'; readonly value: Sample }
  | { readonly list: 'daily'; readonly value: DailyValue }
  | { readonly list: 'sleep'; readonly value: Sleep }
  | { readonly list: 'workouts'; readonly value: Workout }
);

/** The items of one source. */
export type Group = { readonly source: Source; readonly items: readonly Item[] };

/** Applied in this order: a record that changed is deleted by its id and sent again. */
export type Changes = {
  readonly deletedIds?: readonly string[];
  readonly deletions?: readonly { readonly source: Source; readonly deletion: Deletion }[];
  readonly groups?: readonly Group[];
};

export type UploadReply = {
  readonly upload_id: string;
  readonly accepted: number;
  readonly duplicates: number;
  readonly deleted: number;
  readonly rejected: readonly { readonly path: string; readonly error: string; readonly message: string }[];
  readonly rejected_count: number;
};
