// The types of HealthKit and the metric that each becomes. `logged`: entered or logged records that often share one time.

export type HealthKitKind =
  /** A number with a unit. */
  | 'quantity'
  | 'logged'
  /** Counts as 1 if the hour was stood in. */
  | 'stand_hour'
  /** The length of the sample, in minutes. */
  | 'duration'
  /** Counts as 1. */
  | 'event'
  | 'sleep'
  | 'workout';

export type HealthKitType = {
  /** Without the prefix `HKQuantityTypeIdentifier` or `HKCategoryTypeIdentifier`. */
  readonly name: string;
  readonly kind: HealthKitKind;
  readonly metric: string;
};

const QUANTITIES: Readonly<Record<string, string>> = {
  StepCount: 'steps',
  DistanceWalkingRunning: 'distance',
  FlightsClimbed: 'floors_climbed',
  PushCount: 'wheelchair_pushes',
  DistanceCycling: 'cycling',
  DistanceSwimming: 'swimming',
  DistanceWheelchair: 'wheelchair_distance',
  DistanceRowing: 'rowing',
  DistanceCrossCountrySkiing: 'cross_country_skiing',
  DistanceDownhillSnowSports: 'downhill_snow_sports',
  SwimmingStrokeCount: 'swimming_strokes',
  AppleExerciseTime: 'exercise',
  AppleMoveTime: 'active_minutes',
  AppleStandTime: 'stand_time',
  WalkingSpeed: 'walking_speed',
  WalkingStepLength: 'walking_step_length',
  WalkingAsymmetryPercentage: 'walking_asymmetry',
  WalkingDoubleSupportPercentage: 'walking_double_support',
  RunningSpeed: 'running_speed',
  RunningPower: 'running_power',
  RunningStrideLength: 'running_stride_length',
  CyclingSpeed: 'cycling_speed',
  CyclingPower: 'cycling_power',
  CyclingCadence: 'cycling_cadence',
  CyclingFunctionalThresholdPower: 'functional_threshold_power',
  VO2Max: 'vo2_max',
  TimeInDaylight: 'time_in_daylight',
  ActiveEnergyBurned: 'active_calories',
  BasalEnergyBurned: 'resting_energy',
  PhysicalEffort: 'average_met',
  HeartRate: 'heart_rate',
  RestingHeartRate: 'resting_heart_rate',
  WalkingHeartRateAverage: 'walking_heart_rate',
  HeartRateRecoveryOneMinute: 'heart_rate_recovery',
  HeartRateVariabilitySDNN: 'heart_rate_variability',
  AtrialFibrillationBurden: 'atrial_fibrillation_burden',
  OxygenSaturation: 'blood_oxygen',
  RespiratoryRate: 'respiratory_rate',
  ForcedVitalCapacity: 'forced_vital_capacity',
  ForcedExpiratoryVolume1: 'forced_expiratory_volume_1',
  PeakExpiratoryFlowRate: 'peak_expiratory_flow',
  BloodPressureSystolic: 'blood_pressure_systolic',
  BloodPressureDiastolic: 'blood_pressure_diastolic',
  BodyTemperature: 'body_temperature',
  BasalBodyTemperature: 'basal_body_temperature',
  BloodGlucose: 'blood_glucose',
  ElectrodermalActivity: 'electrodermal_activity',
  EnvironmentalAudioExposure: 'environmental_audio_exposure',
  HeadphoneAudioExposure: 'headphone_audio_exposure',
  AppleSleepingWristTemperature: 'sleep_wrist_temperature',
  AppleSleepingBreathingDisturbances: 'breathing_disturbances',
  BodyMass: 'weight',
  BodyMassIndex: 'body_mass_index',
  BodyFatPercentage: 'body_fat_percentage',
  LeanBodyMass: 'lean_body_mass',
  Height: 'height',
  WaistCircumference: 'waist_circumference',
};

const LOGGED: Readonly<Record<string, string>> = {
  InsulinDelivery: 'insulin_delivery',
  DietaryEnergyConsumed: 'dietary_energy',
  DietaryProtein: 'protein',
  DietaryCarbohydrates: 'carbohydrates',
  DietarySugar: 'sugar',
  DietaryFiber: 'fiber',
  DietaryFatTotal: 'fat',
  DietaryFatSaturated: 'saturated_fat',
  DietaryFatMonounsaturated: 'monounsaturated_fat',
  DietaryFatPolyunsaturated: 'polyunsaturated_fat',
  DietaryCholesterol: 'cholesterol',
  DietarySodium: 'sodium',
  DietaryPotassium: 'potassium',
  DietaryCalcium: 'calcium',
  DietaryIron: 'iron',
  DietaryMagnesium: 'magnesium',
  DietaryPhosphorus: 'phosphorus',
  DietaryZinc: 'zinc',
  DietaryVitaminA: 'vitamin_a',
  DietaryVitaminB6: 'vitamin_b6',
  DietaryVitaminB12: 'vitamin_b12',
  DietaryVitaminC: 'vitamin_c',
  DietaryVitaminD: 'vitamin_d',
  DietaryVitaminE: 'vitamin_e',
  DietaryFolate: 'folate',
  DietaryWater: 'water',
  DietaryCaffeine: 'caffeine',
  NumberOfAlcoholicBeverages: 'alcoholic_drinks',
};

const CATEGORIES: readonly HealthKitType[] = [
  { name: 'AppleStandHour', kind: 'stand_hour', metric: 'stand_hours' },
  { name: 'MindfulSession', kind: 'duration', metric: 'mindfulness' },
  { name: 'IrregularHeartRhythmEvent', kind: 'event', metric: 'irregular_rhythm_events' },
  { name: 'HighHeartRateEvent', kind: 'event', metric: 'high_heart_rate_events' },
  { name: 'LowHeartRateEvent', kind: 'event', metric: 'low_heart_rate_events' },
  { name: 'SleepAnalysis', kind: 'sleep', metric: 'sleep' },
];

const ofKind = (kind: HealthKitKind, table: Readonly<Record<string, string>>): HealthKitType[] =>
  Object.entries(table).map(([name, metric]) => ({ name, kind, metric }));

export const HEALTHKIT_TYPES: readonly HealthKitType[] = [
  ...ofKind('quantity', QUANTITIES),
  ...ofKind('logged', LOGGED),
  ...CATEGORIES,
];

const byName = new Map(HEALTHKIT_TYPES.map((type) => [type.name, type]));

/** With or without the prefix. */
export function findHealthKitType(identifier: string): HealthKitType | null {
  return byName.get(identifier.replace(/^HK(Quantity|Category)TypeIdentifier/, '')) ?? null;
}
