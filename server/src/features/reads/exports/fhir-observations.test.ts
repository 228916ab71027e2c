// Holds observations against the rules of FHIR R4 that concern them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { METRICS } from '../../../domain/metrics/index.ts';
import type { UserId } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { codingsOf, LOINC } from './fhir-codes.ts';
import { observeScore, observeWorkout } from './fhir-observations.ts';
import type { ExportedScore, ExportedWorkout } from './records.ts';

const USER = '019a1234-0000-7000-8000-00000000000a' as UserId;
const SCORE: ExportedScore = {
  date: '2026-03-09' as LocalDate,
  type: 'recovery_score',
  value: 71,
  band: null,
  algorithm_version: 1,
  computed_at: '2026-03-10T00:00:00Z',
  coverage: 1,
  factors: [],
};
const WORKOUT: ExportedWorkout = {
  id: '019a1234-0000-7000-8000-00000000000b',
  date: '2026-03-09' as LocalDate,
  start: '2026-03-09T10:00:00Z',
  end: '2026-03-09T10:30:00Z',
  sport_type: 'running',
  name: null,
  provider: 'apple_health',
  device_id: '019a1234-0000-7000-8000-00000000000c',
  duration_minutes: null,
  distance_km: null,
  active_calories: null,
  steps: null,
  elevation_gain_m: null,
  avg_heart_rate: null,
  max_heart_rate: null,
  strain: null,
  heart_rate_zone_minutes: null,
};

describe('observations', () => {
  it('have no empty list of components', () => {
    assert.ok(!('component' in observeScore(USER, SCORE)));
    assert.ok(!('component' in observeWorkout(USER, WORKOUT)));
    assert.ok('component' in observeWorkout(USER, { ...WORKOUT, steps: 3 }));
  });

  it('give LOINC codes no names of our own', () => {
    for (const metric of METRICS)
      for (const { system, display } of codingsOf(metric, 'day'))
        assert.equal(display, system === LOINC ? undefined : metric.displayName);
  });

  it('name a glucose code for moles per volume, as the unit is', () => {
    const glucose = METRICS.find(({ id }) => (id as string) === 'blood_glucose');
    assert.deepEqual([glucose?.unit, glucose?.loinc], ['mmol/L', '15074-8']);
  });
});
