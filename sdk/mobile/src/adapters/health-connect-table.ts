// The record types of Health Connect, and the metric that each value of a record becomes.

/** Where a record has the number: `distance.inMeters`, or `samples[].beatsPerMinute` for a series. */
export type RecordValue = { readonly path: string; readonly metric: string; readonly unit: string };

export type RecordType = {
  readonly recordType: string;
  readonly kind: 'interval' | 'instant' | 'series' | 'logged' | 'duration' | 'sleep' | 'workout' | 'skin_temperature';
  readonly values: readonly RecordValue[];
};

const one = (recordType: string, kind: RecordType['kind'], path: string, metric: string, unit: string): RecordType => ({
  recordType,
  kind,
  values: [{ path, metric, unit }],
});

const nutrient = (field: string, metric: string, unit: string): RecordValue => ({
  path: `${field}.${{ g: 'inGrams', mg: 'inMilligrams', µg: 'inMicrograms', kcal: 'inKilocalories' }[unit]}`,
  metric,
  unit,
});

export const RECORD_TYPES: readonly RecordType[] = [
  one('Steps', 'interval', 'count', 'steps', 'count'),
  one('Distance', 'interval', 'distance.inMeters', 'distance', 'm'),
  one('FloorsClimbed', 'interval', 'floors', 'floors_climbed', 'count'),
  one('ElevationGained', 'interval', 'elevation.inMeters', 'elevation_gain', 'm'),
  one('WheelchairPushes', 'interval', 'count', 'wheelchair_pushes', 'count'),
  one('ActiveCaloriesBurned', 'interval', 'energy.inKilocalories', 'active_calories', 'kcal'),
  one('BasalMetabolicRate', 'instant', 'basalMetabolicRate.inKilocaloriesPerDay', 'basal_metabolic_rate', 'kcal/day'),
  one('Vo2Max', 'instant', 'vo2MillilitersPerMinuteKilogram', 'vo2_max', 'mL/kg/min'),
  one('MindfulnessSession', 'duration', '', 'mindfulness', 's'),
  one('HeartRate', 'series', 'samples[].beatsPerMinute', 'heart_rate', 'bpm'),
  one('CyclingPedalingCadence', 'series', 'samples[].revolutionsPerMinute', 'cycling_cadence', 'rpm'),
  one('RestingHeartRate', 'instant', 'beatsPerMinute', 'resting_heart_rate', 'bpm'),
  one('HeartRateVariabilityRmssd', 'instant', 'heartRateVariabilityMillis', 'heart_rate_variability_rmssd', 'ms'),
  one('OxygenSaturation', 'instant', 'percentage', 'blood_oxygen', '%'),
  one('RespiratoryRate', 'instant', 'rate', 'respiratory_rate', 'breaths/min'),
  {
    recordType: 'BloodPressure',
    kind: 'instant',
    values: [
      { path: 'systolic.inMillimetersOfMercury', metric: 'blood_pressure_systolic', unit: 'mmHg' },
      { path: 'diastolic.inMillimetersOfMercury', metric: 'blood_pressure_diastolic', unit: 'mmHg' },
    ],
  },
  one('BodyTemperature', 'instant', 'temperature.inCelsius', 'body_temperature', '°C'),
  one('BasalBodyTemperature', 'instant', 'temperature.inCelsius', 'basal_body_temperature', '°C'),
  {
    recordType: 'SkinTemperature',
    kind: 'skin_temperature',
    values: [
      { path: 'deltas[].delta.inCelsius', metric: 'skin_temperature_deviation', unit: '°C' },
      { path: 'baseline.inCelsius', metric: 'skin_temperature', unit: '°C' },
    ],
  },
  one('BloodGlucose', 'instant', 'level.inMillimolesPerLiter', 'blood_glucose', 'mmol/L'),
  one('Weight', 'instant', 'weight.inKilograms', 'weight', 'kg'),
  one('BodyFat', 'instant', 'percentage', 'body_fat_percentage', '%'),
  one('LeanBodyMass', 'instant', 'mass.inKilograms', 'lean_body_mass', 'kg'),
  one('BoneMass', 'instant', 'mass.inKilograms', 'bone_mass', 'kg'),
  one('BodyWaterMass', 'instant', 'mass.inKilograms', 'body_water_mass', 'kg'),
  one('Height', 'instant', 'height.inMeters', 'height', 'm'),
  one('Hydration', 'logged', 'volume.inMilliliters', 'water', 'mL'),
  {
    recordType: 'Nutrition',
    kind: 'logged',
    values: [
      nutrient('energy', 'dietary_energy', 'kcal'),
      nutrient('protein', 'protein', 'g'),
      nutrient('totalCarbohydrate', 'carbohydrates', 'g'),
      nutrient('sugar', 'sugar', 'g'),
      nutrient('dietaryFiber', 'fiber', 'g'),
      nutrient('totalFat', 'fat', 'g'),
      nutrient('saturatedFat', 'saturated_fat', 'g'),
      nutrient('monounsaturatedFat', 'monounsaturated_fat', 'g'),
      nutrient('polyunsaturatedFat', 'polyunsaturated_fat', 'g'),
      nutrient('transFat', 'trans_fat', 'g'),
      nutrient('cholesterol', 'cholesterol', 'mg'),
      nutrient('sodium', 'sodium', 'mg'),
      nutrient('potassium', 'potassium', 'mg'),
      nutrient('calcium', 'calcium', 'mg'),
      nutrient('iron', 'iron', 'mg'),
      nutrient('magnesium', 'magnesium', 'mg'),
      nutrient('phosphorus', 'phosphorus', 'mg'),
      nutrient('zinc', 'zinc', 'mg'),
      nutrient('vitaminA', 'vitamin_a', 'µg'),
      nutrient('vitaminB6', 'vitamin_b6', 'mg'),
      nutrient('vitaminB12', 'vitamin_b12', 'µg'),
      nutrient('vitaminC', 'vitamin_c', 'mg'),
      nutrient('vitaminD', 'vitamin_d', 'µg'),
      nutrient('vitaminE', 'vitamin_e', 'mg'),
      nutrient('folate', 'folate', 'µg'),
      nutrient('caffeine', 'caffeine', 'mg'),
    ],
  },
  { recordType: 'SleepSession', kind: 'sleep', values: [] },
  { recordType: 'ExerciseSession', kind: 'workout', values: [] },
];

/** Record types of the catalog that are not mapped. */
export const UNMAPPED_RECORDS: Readonly<Record<string, string>> = {
  ActivityIntensity: 'the bridge does not offer it',
  Speed: 'a record does not say whether the person walked, ran or cycled; the service has one metric for each',
  Power: 'a record does not say whether the person ran or cycled; the service has one metric for each',
  TotalCaloriesBurned: 'the service computes `total_calories` from active and resting energy',
};
