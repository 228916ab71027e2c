import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CLOUD_PROVIDERS } from '../src/providers/registry.ts';
import { fixturesOf, readCoverage, writeProvidersPage } from './generate-providers-page.ts';

/** Fields whose metric the resource reads from another field. */
const OTHER_FIELD_READ = [
  'daily_activity class_5_min',
  'daily_activity met.items',
  'daily_activity low_activity_met_minutes, sedentary_met_minutes',
  'daily_readiness temperature_trend_deviation',
  'measures type 12',
  'measures types 168, 169 (water)',
  'measures types 173, 174, 175 (segments)',
  'measures type 155 (vascular age)',
  'dailies averageHeartRateInBeatsPerMinute',
  'hrv lastNight5MinHigh',
  'respiratory-rate-sleep-summary deepSleepStats, lightSleepStats, remSleepStats',
  'nutrition-log nutrients: FOLIC_ACID',
  'heart-rate rollup: beatsPerMinuteAvg, beatsPerMinuteMin, beatsPerMinuteMax',
  'daily-heart-rate-variability deepSleepRootMeanSquareOfSuccessiveDifferencesMilliseconds',
  'daily-sleep-temperature-derivations relativeNightlyStddev30dCelsius',
  'streams velocity_smooth of virtual rides',
];

describe('docs/providers.md', () => {
  it('lists every resource that can be fetched or pushed', () => {
    const page = writeProvidersPage();
    for (const provider of CLOUD_PROVIDERS)
      for (const { resource } of fixturesOf(provider).pages)
        assert.ok(page.includes(`\`${resource}\``), `${provider.id}: ${resource}`);
  });

  it('marks what arrives only with an unconfirmed part', () => {
    const resourcesOf = (id: string, metric: string) => {
      const provider = CLOUD_PROVIDERS.find((one) => one.id === id);
      assert.ok(provider);
      return [...(readCoverage(provider, fixturesOf(provider)).get(metric) ?? [])];
    };
    assert.deepEqual(resourcesOf('suunto', 'heart_rate_variability_rmssd'), ['activity*']);
    assert.deepEqual(resourcesOf('suunto', 'heart_rate'), ['activity']);
    assert.deepEqual(resourcesOf('ultrahuman', 'heart_rate_variability_rmssd'), ['metrics*']);
    assert.deepEqual(resourcesOf('coros', 'steps'), ['daily*']);
  });

  for (const provider of CLOUD_PROVIDERS)
    it(`lists no field of ${provider.displayName} as unused that its mapping reads`, () => {
      const coverage = readCoverage(provider, fixturesOf(provider));
      assert.ok(provider.notMapped.length > 0);
      for (const { resource, field, metrics, reason } of provider.notMapped) {
        assert.ok(metrics.length > 0 && reason.length > 20, `${resource}.${field}`);
        if (OTHER_FIELD_READ.includes(`${resource} ${field}`)) continue;
        for (const metric of metrics) assert.ok(!coverage.get(metric)?.has(resource), `${resource} gives ${metric}`);
      }
    });
});

/** Documented fields that could give a metric and that no mapping reads. */
const DOCUMENTED: Readonly<Record<string, readonly string[]>> = {
  oura: [
    'daily_activity class_5_min',
    'daily_activity met.items',
    'daily_activity low_activity_met_minutes, sedentary_met_minutes',
    'daily_readiness temperature_trend_deviation',
    'daily_stress day_summary',
    'daily_cardiovascular_age vascular_age',
    'sleep heart_rate',
    'sleep lowest_heart_rate',
    'session type: nap',
  ],
  whoop: ['workout score.zone_durations.zone_zero_milli'],
  garmin: [
    'dailies maxStressLevel',
    'epochs activeTimeInSeconds',
    'hrv lastNight5MinHigh',
    'healthSnapshot summaryType stress',
    'activities averageBikeCadenceInRoundsPerMinute',
    'activityDetails speedMetersPerSecond of walks',
    'activityDetails elevationInMeters',
  ],
  polar: [
    'nightly-recharge heart_rate_avg, beat_to_beat_avg',
    'sleep sleep_goal',
    'sleep short_interruption_duration, long_interruption_duration',
    'exercises samples type 1 (speed) of walks',
    'exercises samples type 3 (altitude)',
    'ecg average_heart_rate_bpm',
    'ecg heart_rate_variability_ms',
    'ppi-samples (version 4) ppi',
  ],
  withings: [
    'measures types 168, 169 (water)',
    'measures types 173, 174, 175 (segments)',
    'measures type 155 (vascular age)',
    'activity active',
    'intraday stroke',
    'workouts elevation',
    'workouts spo2_average',
    'workouts hr_zone_0',
    'sleep wakeupcount, out_of_bed_count',
    'sleep night_events',
    'sleep hr_max',
    'sleep_stages snoring',
    'goals sleep',
  ],
  google_health: [
    'heart-rate rollup: beatsPerMinuteAvg, beatsPerMinuteMin, beatsPerMinuteMax',
    'daily-heart-rate-variability deepSleepRootMeanSquareOfSuccessiveDifferencesMilliseconds',
    'daily-heart-rate-variability nonRemHeartRateBeatsPerMinute',
    'daily-sleep-temperature-derivations relativeNightlyStddev30dCelsius',
    'daily-heart-rate-zones heartRateZones',
    'calories-in-heart-rate-zone kcal',
    'activity-level activityLevelType',
    'sleep summary.minutesToFallAsleep',
    'sleep summary.stagesSummary.count',
    'exercise averageSpeedMillimetersPerSecond, averagePaceSecondsPerMeter',
    'exercise metricsSummary.activeZoneMinutes',
    'exercise mobilityMetrics.avgStrideLengthMillimeters',
    'swim-lengths-data strokeCount',
  ],
  dexcom: ['calibrations value', 'events eventType exercise'],
};

it('docs/providers.md gives a reason for every documented field that is not used', () => {
  const page = writeProvidersPage();
  for (const provider of CLOUD_PROVIDERS) {
    const listed = provider.notMapped.map(({ resource, field }) => `${resource} ${field}`);
    const missing = (DOCUMENTED[provider.id] ?? []).filter((field) => !listed.includes(field));
    assert.deepEqual(missing, [], provider.id);
    assert.equal(new Set(listed).size, listed.length, `${provider.id} lists a field twice`);
    for (const { reason } of provider.notMapped) assert.ok(page.includes(reason), reason);
  }
});
