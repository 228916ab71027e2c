// The query methods of react-native-health, what HealthKit type each reads, and its default unit.

export type HealthMethod = {
  readonly method: string;
  /** As in healthkit-table.ts; `Workout` and `BloodPressure` have several values. */
  readonly type: string;
  readonly unit: string;
  /** Sums per period and source, instead of samples. */
  readonly isStatistic?: boolean;
};

const method = (name: string, type: string, unit: string): HealthMethod => ({ method: name, type, unit });
const statistic = (name: string, type: string, unit: string): HealthMethod => ({
  method: name,
  type,
  unit,
  isStatistic: true,
});

export const HEALTH_METHODS: readonly HealthMethod[] = [
  statistic('getDailyStepCountSamples', 'StepCount', 'count'),
  statistic('getDailyDistanceWalkingRunningSamples', 'DistanceWalkingRunning', 'meter'),
  statistic('getDailyDistanceCyclingSamples', 'DistanceCycling', 'meter'),
  statistic('getDailyDistanceSwimmingSamples', 'DistanceSwimming', 'meter'),
  statistic('getDailyFlightsClimbedSamples', 'FlightsClimbed', 'count'),
  statistic('getActiveEnergyBurned', 'ActiveEnergyBurned', 'kilocalorie'),
  statistic('getBasalEnergyBurned', 'BasalEnergyBurned', 'kilocalorie'),
  statistic('getAppleExerciseTime', 'AppleExerciseTime', 'second'),
  statistic('getAppleStandTime', 'AppleStandTime', 'second'),
  method('getWeightSamples', 'BodyMass', 'pound'),
  method('getHeightSamples', 'Height', 'inch'),
  method('getWaistCircumferenceSamples', 'WaistCircumference', 'inch'),
  method('getBmiSamples', 'BodyMassIndex', 'count'),
  method('getBodyFatPercentageSamples', 'BodyFatPercentage', 'percent'),
  method('getLeanBodyMassSamples', 'LeanBodyMass', 'pound'),
  method('getPeakFlowSamples', 'PeakExpiratoryFlowRate', 'literPerMinute'),
  method('getHeartRateSamples', 'HeartRate', 'bpm'),
  method('getRestingHeartRateSamples', 'RestingHeartRate', 'bpm'),
  method('getWalkingHeartRateAverage', 'WalkingHeartRateAverage', 'bpm'),
  method('getHeartRateVariabilitySamples', 'HeartRateVariabilitySDNN', 'second'),
  method('getBodyTemperatureSamples', 'BodyTemperature', 'celsius'),
  method('getRespiratoryRateSamples', 'RespiratoryRate', 'bpm'),
  method('getVo2MaxSamples', 'VO2Max', 'mlPerKgMin'),
  method('getOxygenSaturationSamples', 'OxygenSaturation', 'percent'),
  method('getBloodPressureSamples', 'BloodPressure', 'mmhg'),
  method('getBloodGlucoseSamples', 'BloodGlucose', 'mmolPerL'),
  method('getInsulinDeliverySamples', 'InsulinDelivery', 'IU'),
  method('getEnvironmentalAudioExposure', 'EnvironmentalAudioExposure', 'dBASPL'),
  method('getHeadphoneAudioExposure', 'HeadphoneAudioExposure', 'dBASPL'),
  method('getEnergyConsumedSamples', 'DietaryEnergyConsumed', 'kilocalorie'),
  method('getProteinSamples', 'DietaryProtein', 'gram'),
  method('getCarbohydratesSamples', 'DietaryCarbohydrates', 'gram'),
  method('getFiberSamples', 'DietaryFiber', 'gram'),
  method('getTotalFatSamples', 'DietaryFatTotal', 'gram'),
  method('getWaterSamples', 'DietaryWater', 'L'),
  method('getMindfulSession', 'MindfulSession', ''),
  method('getSleepSamples', 'SleepAnalysis', ''),
  method('getAnchoredWorkouts', 'Workout', ''),
];
