// Checks that a connector's records are plausible: a unit of the catalog, values within limits, times in order.

import assert from 'node:assert/strict';
import { getMetricOrThrow, isAdditive, type MetricId } from '../../src/domain/metrics/index.ts';
import { toCatalogUnit } from '../../src/domain/metrics/units.ts';
import type { SleepSession, Workout } from '../../src/domain/records/records.ts';
import { parseLocalDate } from '../../src/domain/time/calendar.ts';
import { MINUTE_MS } from '../../src/domain/time/durations.ts';
import { findSport } from '../../src/domain/workouts/sports.ts';
import type { CloudProvider } from '../../src/providers/contract.ts';
import { mapPage, type ProviderFixtures } from './provider-fixture.ts';
import { listReported } from './reported-samples.ts';

const FURTHEST_OFFSET_MINUTES = 14 * 60;

export function checkPlausible(provider: CloudProvider, { pages }: ProviderFixtures): void {
  for (const page of pages) {
    const { samples, daily, sleep, workouts } = mapPage(provider, page);
    for (const { metric, value, unit, date } of daily) {
      checkValue(metric, value, unit, false);
      assert.ok(parseLocalDate(date), `${metric} of ${date}`);
    }
    for (const metric of samples.keys()) {
      for (const { value, unit, start, end, offsetMinutes } of listReported({ samples }, metric)) {
        checkValue(metric, value, unit, isAdditive(getMetricOrThrow(metric)));
        checkTimes(metric, start, end, offsetMinutes);
        assert.ok(end >= start, `${metric} ends before it begins`);
      }
    }
    for (const session of sleep) checkSleep(session);
    for (const workout of workouts) checkWorkout(workout);
  }
}

function checkValue(id: MetricId, value: number, unit: string, isPart: boolean): void {
  const metric = getMetricOrThrow(id);
  assert.ok([metric.unit, ...metric.acceptedUnits].includes(unit), `${id} in ${unit}`);
  const inCatalog = toCatalogUnit(id, value, unit, metric.unit);
  const min = isPart ? 0 : metric.limits.min;
  assert.ok(inCatalog >= min && inCatalog <= metric.limits.max, `${id} is ${value} ${unit}`);
}

function checkTimes(what: string, start: number, end: number, offsetMinutes: number): void {
  assert.ok(Number.isInteger(start) && Number.isInteger(end), `${what}: whole milliseconds`);
  const isOffset = Number.isInteger(offsetMinutes) && Math.abs(offsetMinutes) <= FURTHEST_OFFSET_MINUTES;
  assert.ok(isOffset && !Object.is(offsetMinutes, -0), `${what}: offset ${offsetMinutes}`);
}

function checkSleep(session: SleepSession): void {
  const { key, start, end, stages, offsetMinutes } = session;
  assert.ok(key !== '' && end > start, `the sleep ${key}`);
  checkTimes(key, start, end, offsetMinutes);
  const lasted = (end - start) / MINUTE_MS;
  for (const [name, minutes] of Object.entries(session))
    if (name.endsWith('Minutes') && name !== 'offsetMinutes' && minutes !== null)
      assert.ok((minutes as number) >= 0 && (minutes as number) <= lasted, `${name} of ${key} is ${minutes}`);
  let reached: number = start;
  for (const stage of stages ?? []) {
    assert.ok(stage.start >= reached && stage.end > stage.start && stage.end <= end, `a stage of ${key}`);
    reached = stage.end;
  }
}

function checkWorkout({ key, start, end, offsetMinutes, sportType, durationMinutes }: Workout): void {
  assert.ok(key !== '' && end > start, `the workout ${key}`);
  checkTimes(key, start, end, offsetMinutes);
  assert.ok(findSport(sportType), `${sportType} is not a sport of the catalog`);
  assert.ok(durationMinutes === null || durationMinutes <= (end - start) / MINUTE_MS + 1, `how long ${key} lasted`);
}
